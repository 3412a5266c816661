import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { agentResult } from "../../../testing/agent-result.ts";
import type { AgentWaitStore } from "./agent-wait-store.ts";
import { createResultWatch } from "./result-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const stored = new Set<string>();
  const results = vi.fn<AgentWaitStore["results"]>(async (ids) =>
    ids.filter((id) => stored.has(id)).map((id) => agentResult(id)),
  );
  const onFailure = vi.fn<(cause: unknown) => void>();
  const forever = new AbortController();
  return { stored, results, onFailure, forever, ...createResultWatch({ store: { results }, onFailure }) };
}

test("who waits is woken by a result that this process got, without a look into the store", async () => {
  const { waitFor, tell, results, forever } = start();
  const [one, two] = [waitFor("1", forever.signal), waitFor("2", forever.signal)];
  tell(agentResult("2"));
  tell(agentResult("nobody's"));
  tell(agentResult("1"));
  expect([(await one).task_id, (await two).task_id]).toEqual(["1", "2"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(results).not.toHaveBeenCalled();
});

test("B1: what another process got is found for each who waits, all by one query", async () => {
  const { waitFor, stored, results, forever } = start();
  const waits = ["1", "2", "3"].map((id) => waitFor(id, forever.signal));
  for (const id of ["1", "2", "3"]) stored.add(id);
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(waits)).map(({ task_id }) => task_id)).toEqual(["1", "2", "3"]);
  expect(results.mock.calls).toEqual([[["1", "2", "3"]]]);
});

test("the longer nothing comes, the less often the store is asked; somebody new is looked for soon", async () => {
  const { waitFor, stored, results, forever } = start();
  void waitFor("1", forever.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(results.mock.calls.length).toBeGreaterThan(55);
  expect(results.mock.calls.length).toBeLessThan(70);
  stored.add("2");
  const second = waitFor("2", forever.signal);
  await vi.advanceTimersByTimeAsync(100);
  expect((await second).task_id).toBe("2");
});

test("those who come all the time do not put the look off", async () => {
  const { waitFor, results, forever } = start();
  for (let at = 0; at < 50; at += 1) {
    void waitFor(String(at), forever.signal);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(results.mock.calls.length).toBeGreaterThanOrEqual(5);
  expect(results.mock.calls.length).toBeLessThanOrEqual(10);
});

test("a store that does not answer is told of, and asked again", async () => {
  const { waitFor, stored, results, onFailure, forever } = start();
  results.mockRejectedValueOnce(new Error("away"));
  const wait = waitFor("1", forever.signal);
  stored.add("1");
  await vi.advanceTimersByTimeAsync(1_100);
  expect((await wait).task_id).toBe("1");
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "away" }));
});

test("who stops waiting is not looked for any more, and is told why", async () => {
  const { waitFor, results, forever } = start();
  const wait = waitFor("1", forever.signal);
  forever.abort(new Error("enough"));
  await expect(wait).rejects.toThrow("enough");
  await expect(waitFor("1", forever.signal)).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(results).not.toHaveBeenCalled();
});
