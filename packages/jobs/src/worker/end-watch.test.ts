import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EndWatch } from "./end-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface End {
  readonly of: string;
}

const endOf = (of: string): End => ({ of });

function start() {
  const stored = new Set<string>();
  const missing = new Set<string>();
  const read = vi.fn<(ids: readonly string[]) => Promise<ReadonlyMap<string, End | "open">>>(
    async (ids) =>
      new Map(ids.filter((id) => !missing.has(id)).map((id) => [id, stored.has(id) ? endOf(id) : ("open" as const)])),
  );
  const onMissing = vi.fn<(callId: string) => void>();
  const onFailure = vi.fn<(cause: unknown) => void>();
  const forever = new AbortController();
  const watch = new EndWatch({ read, pausesMs: [100, 1_000], onMissing, onFailure });
  return { stored, missing, read, onMissing, onFailure, forever, watch };
}

test("a result that this process received wakes its waiter without a query", async () => {
  const { watch, read, forever } = start();
  const [one, two] = [watch.waitFor("1", forever.signal), watch.waitFor("2", forever.signal)];
  expect(watch.deliver("2", endOf("2"))).toBe(true);
  expect(watch.deliver("unknown", endOf("unknown"))).toBe(false);
  watch.deliver("1", endOf("1"));
  expect([(await one).of, (await two).of]).toEqual(["1", "2"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();
});

test("B1: results that other processes received are found for all waiters by one query", async () => {
  const { watch, stored, read, forever } = start();
  const waits = ["1", "2", "3"].map((id) => watch.waitFor(id, forever.signal));
  for (const id of ["1", "2", "3"]) stored.add(id);
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(waits)).map(({ of }) => of)).toEqual(["1", "2", "3"]);
  expect(read.mock.calls).toEqual([[["1", "2", "3"]]]);
});

test("a store that fails is reported, and queried again", async () => {
  const { watch, stored, read, onFailure, forever } = start();
  read.mockRejectedValueOnce(new Error("away"));
  const wait = watch.waitFor("1", forever.signal);
  stored.add("1");
  await vi.advanceTimersByTimeAsync(1_100);
  expect((await wait).of).toBe("1");
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "away" }));
});

test("an aborted wait is no longer polled for, and rejects with the reason", async () => {
  const { watch, read, forever } = start();
  const wait = watch.waitFor("1", forever.signal);
  forever.abort(new Error("enough"));
  await expect(wait).rejects.toThrow("enough");
  await expect(watch.waitFor("1", forever.signal)).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();
});
