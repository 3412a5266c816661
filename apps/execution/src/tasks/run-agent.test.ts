import { expect, test } from "vitest";
import { agentThat } from "../testing/start-zone.ts";
import { answerOf } from "../agents/result-answer.ts";
import { judgeRetry } from "./run-agent.ts";
import type { LeasedTask } from "./task.ts";

test("a task whose text was sealed with a missing key is an error, not a run without text", async () => {
  const agent = agentThat(async () => ({ response_text: "" }), "builtin");
  const task = { task_id: "t", agent: "builtin", state: "working" };
  const taken = { task, attempt: 1, remainingMs: 1_000 } as unknown as LeasedTask;
  expect(await judgeRetry(taken, agent, 2)).toMatchObject({ kind: "internal" });
  const readable = { ...taken, task: { ...task, params: { channel: "C1", text: "hi" } } } as unknown as LeasedTask;
  expect(await judgeRetry(readable, agent, 2)).toBe(agent);
});

test("O35: work is given up with how often its processes were ended, and blames nobody else", async () => {
  const says = "our processes were ended 3 times while they worked on this";
  const ours = { kind: "zone_unavailable", data: { problems: [{ message: says }] } };
  const task = { task_id: "t", agent: "builtin", params: { channel: "C1", text: "hi" } };
  const agent = agentThat(async () => ({ response_text: "" }), "builtin");
  expect(await judgeRetry({ task, attempt: 4, remainingMs: 1_000 } as unknown as LeasedTask, agent, 3)).toMatchObject(
    ours,
  );
  const message = "The task was started 3 times, and each time its process crashed.";
  const error = { kind: "internal", message, retryable: false, data: { processes_ended: 3 } } as const;
  const failed = { run_id: "t", task_id: "t", correlation_id: "c", timestamp: "", status: "FAILURE" } as const;
  const answer = async () =>
    answerOf({ ...failed, output_data: null, error_message: message, error }, { agent: "a", showDetail: false });
  await expect(answer()).rejects.toMatchObject(ours);
});
