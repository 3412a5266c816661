import { expect, test } from "vitest";
import { agentThat } from "../testing/start-zone.ts";
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
