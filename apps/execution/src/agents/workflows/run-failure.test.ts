import type { ErrorKind, FailedRun, RunProblem, RunState, WorkflowRun } from "@crosszone/contracts";
import { newRun } from "@crosszone/workflow";
import { expect, test } from "vitest";
import { runFailure } from "./run-failure.ts";

const path = "each[3].ask";
const ask = { id: "ask", type: "agent", title: "Ask A", agent_name: "A", input_mapping: {} } as const;
const definition = { workflow_id: "publish", name: "Publish", version: "1", start_step: "ask", steps: { ask } };
const limits = { deadline_ms: 1_000, step_timeout_ms: 1_000, max_running: 1, max_bytes: 1_000 };
const record = newRun({ run_id: "r", limits, at: 0, input: {} });

function failureOf(state: RunState, error?: RunProblem) {
  const step = { path, step_id: "ask", type: "agent", title: "Ask A", state: "failed", attempt: 1, agent_name: "A" };
  const run = { workflow_id: "publish", revision: 7, definition, state, steps: [step], ...(error && { error }) };
  const steps = new Map([["ask", { state: "failed" as const, attempt: 1 }]]);
  return runFailure({ run: run as unknown as WorkflowRun, record: { ...record, state, steps } });
}

const agentError = (kind: NonNullable<RunProblem["agent_error"]>["kind"]): RunProblem => ({
  kind: "agent_failed",
  message: "it said no",
  path,
  agent_error: { kind, message: "it said no", retryable: false },
});

const late = { message: "late" };
const no = { message: "no" };

test.each<[string, RunState, RunProblem | undefined, { kind: ErrorKind; agent: string }]>([
  ["its deadline passed", "timed_out", { ...late, kind: "run_timed_out" }, { kind: "timeout", agent: "publish" }],
  ["it was canceled", "canceled", undefined, { kind: "canceled", agent: "publish" }],
  ["an agent is unavailable", "failed", agentError("unreachable"), { kind: "agent_unavailable", agent: "A" }],
  ["an agent refuses", "failed", agentError("task_failed"), { kind: "agent_failed", agent: "A" }],
  ["an agent takes too long", "failed", agentError("call_timeout"), { kind: "timeout", agent: "A" }],
  // The person requested a workflow, which exists.
  ["an agent is unknown", "failed", agentError("unknown_agent"), { kind: "agent_unavailable", agent: "A" }],
  ["no details are known", "failed", { ...no, kind: "agent_failed", path }, { kind: "agent_failed", agent: "A" }],
  ["a step timed out", "failed", { ...late, kind: "step_timed_out", path }, { kind: "timeout", agent: "A" }],
  [
    "a mapping fails",
    "failed",
    { ...no, kind: "mapping_failed", path: "x" },
    { kind: "agent_failed", agent: "publish" },
  ],
  ["a fork fails", "failed", { ...no, kind: "join_failed", path: "x" }, { kind: "agent_failed", agent: "publish" }],
  ["the error is internal", "failed", { ...no, kind: "internal" }, { kind: "internal", agent: "publish" }],
  ["the reason is unknown", "failed", undefined, { kind: "internal", agent: "publish" }],
])("the error of a run when %s", (_, ...[state, error, { kind, agent }]) => {
  expect(failureOf(state, error)).toMatchObject({ kind, data: { agent } });
});

test.each<[string, RunState, RunProblem | undefined, FailedRun]>([
  [
    "the step and why",
    "failed",
    agentError("task_failed"),
    { workflow: "publish", step: "Ask A", reason: "agent_failed" },
  ],
  [
    "no step when none failed",
    "failed",
    { ...no, kind: "mapping_failed" },
    { workflow: "publish", reason: "mapping_failed" },
  ],
  ["that it was stopped", "canceled", undefined, { workflow: "publish", reason: "canceled" }],
  [
    "that its deadline passed",
    "timed_out",
    { ...late, kind: "run_timed_out" },
    { workflow: "publish", reason: "run_timed_out" },
  ],
])("a run that did not succeed reports %s, and how far it got", (_, ...[state, error, failed_run]) => {
  const { data } = failureOf(state, error);
  expect(data.failed_run).toEqual(failed_run);
  expect(data.progress).toEqual({
    revision: 7,
    steps: [{ id: "ask", title: "Ask A", uses: "A", state: "failed", depth: 0 }],
  });
});

test("its error texts are only logged", () => {
  const failure = failureOf("failed", agentError("task_failed"));
  expect(JSON.stringify([failure.message, failure.data])).not.toContain("it said no");
  expect(failure.cause).toMatchObject({ message: 'the step "each[3].ask" (agent_failed): it said no' });
});
