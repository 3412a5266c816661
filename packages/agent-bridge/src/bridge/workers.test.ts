import type { AgentRecord } from "@crosszone/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordingObserver } from "../testing/recording-observer.ts";
import { agentNamed, newTask } from "../testing/bridge-under-test.ts";
import { createFakeCaller } from "../testing/fake-caller.ts";
import { createAgentSlots } from "../slots/create-agent-slots.ts";
import type { CallStore } from "../calls/call-store.ts";
import { createWorkers } from "./workers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Workers on a store in which nothing waits; it counts what it is asked. */
function idleWorkers(find: () => Promise<readonly string[]>, agent?: AgentRecord) {
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
  const { caller, calls } = createFakeCaller();
  const slots = createAgentSlots({ most: 10 });
  const registry = { find: async () => agent };
  return {
    workers: createWorkers({ store, slots, registry, caller, observer, mostAttempts: 3 }),
    asked,
    observer,
    calls,
  };
}

test("with nothing to do, the store is asked about twice a second, and at once when something came", async () => {
  const { workers, asked } = idleWorkers(async () => []);
  workers.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(asked)).toEqual(new Set(["waitingAgents"]));
  expect(asked.length).toBeGreaterThanOrEqual(10_000 / 625);
  expect(asked.length).toBeLessThanOrEqual(1 + 10_000 / 375);
  const before = asked.length;
  const call = { task: newTask("t1"), headers: {}, deadlineMs: 1 };
  const { isHeld, stored } = await workers.enter("nobody");
  expect(isHeld).toBe(false);
  stored({ ...call, isHeld });
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

test("N5: what comes for an agent that is free is begun without being taken, as soon as it was looked once what waits", async () => {
  const { workers, asked, calls } = idleWorkers(async () => [], agentNamed("A", { max_concurrency: 1 }));
  const call = { task: newTask("t1"), headers: {}, deadlineMs: 60_000 };
  const early = await workers.enter("A");
  expect(early.isHeld).toBe(false);
  await early.notStored({ ...call, isHeld: false });
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = await workers.enter("A");
  expect(entry.isHeld).toBe(true);
  // The slot is this one's before it is stored.
  expect((await workers.enter("A")).isHeld).toBe(false);
  entry.stored({ ...call, isHeld: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toMatchObject([{ task: newTask("t1") }]);
  expect(asked).not.toContain("take");
});

test("N5: what came for nothing gives its slot back; if the store lost only its answer, others take the call at once", async () => {
  const { workers, asked } = idleWorkers(async () => [], agentNamed("A", { max_concurrency: 1 }));
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = await workers.enter("A");
  await entry.notStored({ task: newTask("t1"), headers: {}, deadlineMs: 1, isHeld: true });
  expect(asked).toContain("handBack");
  expect((await workers.enter("A")).isHeld).toBe(true);
});
