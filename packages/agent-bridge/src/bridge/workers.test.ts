import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordingObserver } from "../testing/recording-observer.ts";
import { createFakeCaller } from "../testing/fake-caller.ts";
import { createAgentSlots } from "../slots/create-agent-slots.ts";
import type { CallStore } from "../calls/call-store.ts";
import { createWorkers } from "./workers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Workers on a store in which nothing waits; it counts what it is asked. */
function idleWorkers(find: () => Promise<readonly string[]>) {
  const asked: string[] = [];
  const refuse = (name: string) => async (): Promise<never> => {
    asked.push(name);
    throw new Error(`${name} was not to be asked`);
  };
  const waitingAgents = async (): Promise<readonly string[]> => {
    asked.push("waitingAgents");
    return find();
  };
  const names = ["add", "take", "renew", "lost", "handBack", "keepRemoteId", "end", "cancel", "refuse", "repeatResult"];
  const others = Object.fromEntries(names.map((name) => [name, refuse(name)]));
  const store = { ...others, leaseMs: 10_000, waitingAgents } as unknown as CallStore;
  const observer = recordingObserver();
  const { caller } = createFakeCaller();
  const slots = createAgentSlots({ most: 10 });
  const registry = { find: async () => undefined };
  return { workers: createWorkers({ store, slots, registry, caller, observer, mostAttempts: 3 }), asked, observer };
}

test("with nothing to do, the store is asked about twice a second, and at once when something came", async () => {
  const { workers, asked } = idleWorkers(async () => []);
  workers.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(asked)).toEqual(new Set(["waitingAgents"]));
  expect(asked.length).toBeGreaterThanOrEqual(10_000 / 625);
  expect(asked.length).toBeLessThanOrEqual(1 + 10_000 / 375);
  const before = asked.length;
  workers.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBe(before + 1);
  await workers.stop(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBe(before + 1);
});

test("a store that is away is told to the observer and asked again, not without a pause", async () => {
  const { workers, asked, observer } = idleWorkers(() => Promise.reject(new Error("away")));
  workers.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBeLessThan(20);
  expect(observer.toldOf("storeFailed")).toHaveLength(asked.length);
  await workers.stop(0);
});
