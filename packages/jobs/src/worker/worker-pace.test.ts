import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LeasedJob } from "../table/job-tables.ts";
import { createJobWorker } from "./job-worker.ts";
import type { JobStore } from "../store/job-store.ts";
import type { TestColumn } from "../testing/open-jobs.ts";
import { createTestKind, type TestKindOptions } from "../testing/test-kind.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Store = Pick<JobStore<TestColumn>, "waitingShares" | "take" | "release" | "lost" | "leases">;

/** A worker on an empty store, which counts the requests. */
function idleWorker(
  find: () => Promise<readonly string[]> = async () => [],
  { end = async () => [true], ...options }: TestKindOptions & Partial<Pick<JobStore<TestColumn>, "end">> = {},
) {
  const asked: string[] = [];
  const counted =
    <Args extends unknown[], T>(name: string, answer: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> => {
      asked.push(name);
      return answer(...args);
    };
  const store: Store = {
    waitingShares: counted("waitingShares", find),
    take: counted("take", async () => []),
    release: counted("release", async () => []),
    lost: counted("lost", async () => []),
    leases: async () => [],
  };
  const failures: unknown[] = [];
  const { kind, runs } = createTestKind({ end }, options);
  const failed = (_: string, cause: unknown) => void failures.push(cause);
  const worker = createJobWorker({
    store: store as JobStore<TestColumn>,
    lease: {
      owner: "me",
      leaseMs: 10_000,
      isOver: () => false,
      settleClock: async () => undefined,
      start: async () => undefined,
      stop: async () => undefined,
    },
    kind,
    failed,
  });
  return { worker, asked, store: store, failures, runs };
}

const held = { id: "1", attempt: 1, share: "test" };
const row: LeasedJob<TestColumn> = {
  ...held,
  kind: "test",
  parent: null,
  team: null,
  record: "{}",
  input: null,
  output: null,
  note: null,
  score: null,
  remaining_ms: null,
  waited_ms: 0,
};

test("when idle, the worker polls the store about twice a second, and immediately after a notification", async () => {
  const { worker, asked } = idleWorker();
  worker.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(asked)).toEqual(new Set(["waitingShares"]));
  expect(asked.length).toBeGreaterThanOrEqual(10_000 / 625);
  expect(asked.length).toBeLessThanOrEqual(1 + 10_000 / 375);
  const before = asked.length;
  worker.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBe(before + 1);
  await worker.stop(0);
  worker.enter("test", () => held).settle(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBe(before + 1);
});

test("an unreachable store is reported and polled again after a pause", async () => {
  const { worker, asked, failures } = idleWorker(() => Promise.reject(new Error("away")));
  worker.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBeLessThan(20);
  expect(failures).toHaveLength(asked.length);
  await worker.stop(0);
});

test("a new job of a share with free slots starts without being taken, once the queue was read", async () => {
  const { worker, asked, runs } = idleWorker(undefined, { free: 1 });
  const early = worker.enter("test", () => held);
  expect(early.as).toBe("ready");
  early.settle(false);
  worker.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = worker.enter("test", () => held);
  expect(entry.as).toBe("leased");
  // Its room is reserved before it is stored.
  expect(worker.enter("test", () => held).as).toBe("ready");
  entry.settle(true);
  expect(runs).toMatchObject([held]);
  expect(asked).not.toContain("take");
});

test("waiting jobs are looked up immediately when an unstored job releases its slot", async () => {
  let waiting: readonly string[] = [];
  const { worker, asked } = idleWorker(async () => waiting, { free: 1 });
  worker.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const [nothing, other] = [worker.enter("test", () => held), worker.enter("test", () => held)];
  waiting = ["test"];
  other.settle(true);
  await vi.advanceTimersByTimeAsync(0);
  const before = asked.length;
  nothing.settle(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBeGreaterThan(before);
});

test("B2: a job that is delivered again while it is being taken here is not released", async () => {
  let waiting: readonly string[] = [];
  const { worker, asked, runs, store } = idleWorker(async () => waiting, { free: 2 });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  store.take = async () => {
    await answered;
    waiting = [];
    return [row];
  };
  worker.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const again = worker.enter("test", () => held);
  expect(again.as).toBe("leased");
  waiting = ["test"];
  await vi.advanceTimersByTimeAsync(1_000);
  again.settle(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).not.toContain("release");
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toHaveLength(1);
});

test("a job that is stored as leased after the stop started is released", async () => {
  const { worker, asked, runs } = idleWorker();
  worker.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const entry = worker.enter("test", () => held);
  await worker.stop(0);
  entry.settle(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toContain("release");
  expect(runs).toEqual([]);
});

test("a job whose end is being stored uses no slot, unless a hundred others cannot be stored either", async () => {
  const { worker, runs } = idleWorker(undefined, { room: 1, end: () => new Promise(() => undefined) });
  worker.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const waits = (): boolean => {
    const entry = worker.enter("test", () => held);
    entry.settle(false);
    return entry.as === "ready";
  };
  for (let id = 1; id <= 101; id += 1) {
    const entry = worker.enter("test", () => ({ ...held, id: String(id) }));
    expect(entry.as).toBe("leased");
    entry.settle(true);
    expect(waits()).toBe(true);
    runs.at(-1)?.finish();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(worker.running()).toBe(101);
  expect(waits()).toBe(true);
});

test("shares with more jobs are taken in turn without a look, until others get jobs or some time has passed", async () => {
  const { worker, asked, runs, store } = idleWorker(async () => ["one", "other"], { room: 1 });
  let count = 0;
  store.take = async (wanted) => {
    asked.push("take");
    return wanted.flatMap(({ share, most }) =>
      Array.from({ length: most }, () => ({ ...row, id: String((count += 1)), share })),
    );
  };
  const next = async (): Promise<readonly (string | undefined)[]> => {
    asked.length = 0;
    runs.at(-1)?.finish();
    await vi.advanceTimersByTimeAsync(0);
    return [...asked, runs.at(-1)?.share];
  };
  worker.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs.map(({ share }) => share)).toEqual(["one"]);
  expect(await next()).toEqual(["take", "other"]);
  expect(await next()).toEqual(["take", "one"]);
  worker.wake("one");
  expect(await next()).toEqual(["take", "other"]);
  worker.wake("third");
  expect(await next()).toEqual(["waitingShares", "take", "one"]);
  worker.wake();
  expect(await next()).toEqual(["waitingShares", "take", "one"]);
  await vi.advanceTimersByTimeAsync(300);
  expect(await next()).toEqual(["waitingShares", "take", "one"]);
});
