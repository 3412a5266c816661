import { isGetAsyncTaskResultResult, type TaskProgress } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import type { Agent, AgentProgress } from "../../agents/agent.ts";
import { agentThat, startZone, task } from "../../testing/start-zone.ts";

const steps = [{ id: "a", title: "Ask A", state: "running", depth: 0 }] as const;
const progressAt = (revision: number): TaskProgress => ({ revision, steps: [...steps] });

/** Starts a zone with a running task, which ends on `finish`. */
async function startWork(progress?: Partial<AgentProgress>, limits: Parameters<typeof startZone>[1] = {}) {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const agent: Agent = {
    ...agentThat(async ({ text }) => (await done, { response_text: text }), "worker"),
    ...(progress && { progress: { read: async () => undefined, waitForNewer: async () => undefined, ...progress } }),
  };
  const zone = await startZone([agent], { syncWindowMs: 1, maxWaitMs: 60_000, taskDeadlineMs: 60_000, ...limits });
  const { result } = (await zone.call("execute_task", task({ text: "done" }))) as { result: { task_id: string } };
  const { task_id } = result;
  const poll = async (params: object = {}): Promise<unknown> => {
    const answer = await zone.call("get_async_task_result", { task_id, ...params });
    return "result" in answer ? answer.result : answer;
  };
  return { zone, task_id, poll, finish };
}

test("a running task's response has its progress, as in the contract; a finished task's has only the result", async () => {
  const { poll, task_id, finish } = await startWork({ read: async () => progressAt(3) });
  const working = await poll();
  expect(working).toEqual({ status: "working", task_id, progress: progressAt(3) });
  expect(isGetAsyncTaskResultResult(working)).toBe(true);
  finish();
  expect(await poll({ wait_ms: 60_000, seen_progress: 3 })).not.toHaveProperty("progress");
});

// A poll that waits its full time would exceed the timeout.
test("a poll with a seen revision ends with newer progress, and its watch ends with the response", async () => {
  const newer = Promise.withResolvers<void>();
  const waitForNewer = vi.fn<AgentProgress["waitForNewer"]>(async () => newer.promise);
  const { poll } = await startWork({ waitForNewer, read: async () => progressAt(4) });
  const answer = poll({ wait_ms: 60_000, seen_progress: 3 });
  await vi.waitFor(() => expect(waitForNewer).toHaveBeenCalledOnce());
  newer.resolve();
  expect(await answer).toMatchObject({ status: "working", progress: { revision: 4 } });
  const [[, seen, signal] = []] = waitForNewer.mock.calls;
  expect([seen, signal?.aborted]).toEqual([3, true]);
});

test("a poll that has the latest revision waits for the end, and the watch ends with the task", async () => {
  const waitForNewer = vi.fn<AgentProgress["waitForNewer"]>(
    (_, __, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  );
  const { poll, finish } = await startWork({ waitForNewer });
  const answer = poll({ wait_ms: 60_000, seen_progress: 3 });
  await vi.waitFor(() => expect(waitForNewer).toHaveBeenCalledOnce());
  finish();
  expect(await answer).toMatchObject({ status: "success", response_text: "done" });
  expect(waitForNewer.mock.calls[0]?.[2].aborted).toBe(true);
});

test("a poll without a seen revision gets progress soon, and watches nothing", async () => {
  const waitForNewer = vi.fn<AgentProgress["waitForNewer"]>();
  const { poll } = await startWork({ waitForNewer, read: async () => progressAt(1) });
  expect(await poll({ wait_ms: 60_000 })).toMatchObject({ status: "working", progress: { revision: 1 } });
  expect(waitForNewer).not.toHaveBeenCalled();
});

test("progress that can't be read is omitted and logged; the poll still waits for the end", async () => {
  const away = new Error("the database is away");
  const failing = vi.fn<() => Promise<never>>().mockRejectedValue(away);
  const { zone, task_id, poll, finish } = await startWork({ read: failing, waitForNewer: failing });
  expect(await poll()).toEqual({ status: "working", task_id });
  const answer = poll({ wait_ms: 60_000, seen_progress: 1 });
  await vi.waitFor(() => expect(failing).toHaveBeenCalledTimes(2));
  finish();
  expect(await answer).toMatchObject({ status: "success" });
  const logged = zone.log.filter(({ event }) => event === "task_progress_failed");
  expect(logged).toMatchObject([
    { task_id, agent: "worker" },
    { task_id, agent: "worker" },
  ]);
});
