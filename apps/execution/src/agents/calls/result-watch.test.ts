import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCallPreviews } from "./call-previews.ts";
import type { ReadCalls } from "./call-reader.ts";
import { createResultWatch } from "./result-watch.ts";
import { agentResult } from "../../testing/fake-bridge.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const stored = new Set<string>();
  const missing = new Set<string>();
  const read = vi.fn<ReadCalls>(
    async (ids) =>
      new Map(
        ids.filter((id) => !missing.has(id)).map((id) => [id, stored.has(id) ? agentResult(id) : ("open" as const)]),
      ),
  );
  const onMissing = vi.fn<(callId: string) => void>();
  const onFailure = vi.fn<(cause: unknown) => void>();
  const forever = new AbortController();
  const watch = createResultWatch({ read, onMissing, onFailure });
  return { stored, missing, read, onMissing, onFailure, forever, ...watch };
}

test("a result that this process received wakes its waiter without a query", async () => {
  const { waitFor, deliver, read, forever } = start();
  const [one, two] = [waitFor("1", forever.signal), waitFor("2", forever.signal)];
  expect(deliver("2", agentResult("2"))).toBe(true);
  expect(deliver("unknown", agentResult("unknown"))).toBe(false);
  deliver("1", agentResult("1"));
  expect([(await one).task_id, (await two).task_id]).toEqual(["1", "2"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();
});

test("B1: results that other processes received are found for all waiters by one query", async () => {
  const { waitFor, stored, read, forever } = start();
  const waits = ["1", "2", "3"].map((id) => waitFor(id, forever.signal));
  for (const id of ["1", "2", "3"]) stored.add(id);
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(waits)).map(({ task_id }) => task_id)).toEqual(["1", "2", "3"]);
  expect(read.mock.calls).toEqual([[["1", "2", "3"]]]);
});

test("a store that fails is reported, and queried again", async () => {
  const { waitFor, stored, read, onFailure, forever } = start();
  read.mockRejectedValueOnce(new Error("away"));
  const wait = waitFor("1", forever.signal);
  stored.add("1");
  await vi.advanceTimersByTimeAsync(1_100);
  expect((await wait).task_id).toBe("1");
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "away" }));
});

test("an aborted wait is no longer polled for, and rejects with the reason", async () => {
  const { waitFor, read, forever } = start();
  const wait = waitFor("1", forever.signal);
  forever.abort(new Error("enough"));
  await expect(wait).rejects.toThrow("enough");
  await expect(waitFor("1", forever.signal)).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();
});

const artifacts = [{ parts: [{ kind: "text", text: "One" }] }];
const watched = () => {
  const shown: string[] = [];
  const preview = {
    text: (delta: string) => void shown.push(delta),
    progress: ({ text = "" }) => void shown.push(text),
  };
  return { shown, preview };
};

test("a task gets the stream of its own call, and not of a workflow step or another task", () => {
  const { open, show } = createCallPreviews();
  const { shown, preview } = watched();
  const close = open("t1", preview);
  show({ run_id: "run-1", task_id: "t1" }, artifacts);
  show({ run_id: "t2", task_id: "t2" }, artifacts);
  expect(shown).toEqual([]);
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect(shown).toEqual(["One"]);
  close();
  show({ run_id: "t1", task_id: "t1" }, [...artifacts, ...artifacts]);
  expect(shown).toEqual(["One"]);
});

test("a task gets the progress of its own call, with the revision that is stored", () => {
  const { open, showProgress } = createCallPreviews();
  const progress = vi.fn<(progress: object) => void>();
  open("t1", { ...watched().preview, progress });
  showProgress({ run_id: "run-1", task_id: "t1" }, { revision: 6, text: "a step" });
  showProgress({ run_id: "t1", task_id: "t1" }, { revision: 7, text: "halfway" });
  expect(progress.mock.calls).toEqual([[{ revision: 7, text: "halfway", steps: [] }]]);
});

test("a run that ends late leaves the preview of the task's next run open", () => {
  const { open, show } = createCallPreviews();
  const [first, second] = [watched(), watched()];
  const closeFirst = open("t1", first.preview);
  open("t1", second.preview);
  closeFirst();
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect([first.shown, second.shown]).toEqual([[], ["One"]]);
});
