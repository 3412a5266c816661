import type { AgentRecord } from "@crosszone/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordingObserver } from "../testing/recording-observer.ts";
import { agentNamed, newTask } from "../testing/bridge-under-test.ts";
import { createFakeCaller } from "../testing/fake-caller.ts";
import { createAgentSlots } from "../slots/create-agent-slots.ts";
import type { CallStore } from "../calls/call-store.ts";
import { callId } from "../calls/store/call-row.ts";
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
  const keepWays = async (): Promise<void> => undefined;
  const store = { ...others, leaseMs: 10_000, waitingAgents, keepWays } as unknown as CallStore;
  const observer = recordingObserver();
  const { caller, calls } = createFakeCaller();
  const slots = createAgentSlots({ most: 10 });
  const registry = { find: async () => agent };
  return {
    workers: createWorkers({ store, slots, registry, caller, observer, mostAttempts: 3 }),
    asked,
    observer,
    calls,
    store,
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
  await stored({ ...call, isHeld });
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
  early.notStored();
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = await workers.enter("A");
  expect(entry.isHeld).toBe(true);
  // The slot is this one's before it is stored.
  expect((await workers.enter("A")).isHeld).toBe(false);
  await entry.stored({ ...call, isHeld: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toMatchObject([{ task: newTask("t1") }]);
  expect(asked).not.toContain("take");
});

test("N5: what came for nothing gives its slot back", async () => {
  const { workers } = idleWorkers(async () => [], agentNamed("A", { max_concurrency: 1 }));
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = await workers.enter("A");
  entry.notStored();
  expect((await workers.enter("A")).isHeld).toBe(true);
});

test("who waits for the slot of what came for nothing is looked for at once", async () => {
  const { workers, asked, store } = idleWorkers(async () => waiting, agentNamed("A", { max_concurrency: 1 }));
  let waiting: readonly string[] = [];
  Object.assign(store, { take: async () => [] });
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const [nothing, other] = [await workers.enter("A"), await workers.enter("A")];
  waiting = ["A"];
  await other.stored({ task: newTask("t1"), headers: {}, deadlineMs: 1, isHeld: false });
  await vi.advanceTimersByTimeAsync(0);
  const before = asked.length;
  nothing.notStored();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBe(before + 1);
});

test("B2: a task that comes again while it is being taken here is not handed back", async () => {
  const { workers, asked, calls, store } = idleWorkers(async () => waiting, agentNamed("A", { max_concurrency: 2 }));
  let waiting: readonly string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const task = newTask("t1");
  const row = {
    id: callId(task),
    attempt: 1,
    task,
    headers: {},
    remoteId: undefined,
    way: undefined,
    isReadable: true,
  };
  Object.assign(store, {
    take: async () => {
      await answered;
      waiting = [];
      return [{ ...row, remainingMs: 60_000, waitedMs: 0 }];
    },
    end: async () => true,
  });
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const again = await workers.enter("A");
  expect(again.isHeld).toBe(true);
  waiting = ["A"];
  await vi.advanceTimersByTimeAsync(1_000);
  again.notStored();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).not.toContain("handBack");
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
});

test("what is stored after the stop began is handed back before its message is committed", async () => {
  const { workers, store, calls } = idleWorkers(async () => [], agentNamed("A"));
  workers.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = await workers.enter("A");
  await workers.stop(0);
  const ends: string[] = [];
  const handBack = () => new Promise((resolve) => setTimeout(resolve, 1_000)).then(() => ends.push("back"));
  Object.assign(store, { handBack });
  const stored = entry.stored({ task: newTask("t1"), headers: {}, deadlineMs: 1_000, isHeld: true });
  const told = stored.then(() => ends.push("stored"));
  await vi.advanceTimersByTimeAsync(1_000);
  await told;
  expect([ends, calls]).toEqual([["back", "stored"], []]);
});
