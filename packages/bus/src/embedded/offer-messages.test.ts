import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offerMessages } from "./offer-messages.ts";
import type { Consumer } from "./start-consumer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const row = {
  channel: "agent_tasks",
  consumer_group: "agent-bridge",
  key: "key",
  value: "{}",
  headers: "{}",
  team: null,
};

test.each([
  [5_000, ["handOver"]],
  [5_001, ["giveUp", "wake"]],
])(
  "N5: written after %i ms of a lease of ten seconds, a message is handed over, or left to who takes it by now",
  (ms, expected) => {
    const told: string[] = [];
    const tell = (what: string) => () => void told.push(what);
    const names = ["wake", "waits", "handOver", "giveUp", "close"];
    const others = Object.fromEntries(names.map((name) => [name, tell(name)]));
    const consumer = {
      ...others,
      channel: "agent_tasks",
      isFor: () => true,
      reserve: () => true,
    } as unknown as Consumer;
    const offer = offerMessages([consumer], [row], 10_000);
    vi.advanceTimersByTime(ms);
    offer.accept([{ id: 1, lease: offer.rows[0]?.lease ?? null, xact: null }]);
    expect(told).toEqual(expected);
  },
);
