import type { RunGraph, WorkflowRun, WorkflowRunEvent, WorkflowRunSummary } from "@crosszone/contracts";
import { answerWith, type FakeAnswers, startFakeZone, stream } from "./fake-zone.ts";

const created_at = "2026-03-01T10:00:00.000Z";

export const summary: WorkflowRunSummary = {
  run_id: "run-1",
  workflow_id: "w",
  version: "1",
  name: "W",
  state: "running",
  revision: 1,
  correlation_id: "c-1",
  created_at,
  started_at: created_at,
};

/** The run as it ends. */
export const endedRun: WorkflowRun = {
  ...summary,
  state: "succeeded",
  revision: 3,
  ended_at: "2026-03-01T10:00:02.500Z",
  input: {},
  output: "done \u001b[31mred",
  definition: {
    workflow_id: "w",
    name: "W",
    version: "1",
    start_step: "ask",
    steps: { ask: { id: "ask", type: "agent", agent_name: "Asker", input_mapping: "x" } },
  },
  steps: [],
};

export const graphWith = (state: "running" | "succeeded", revision: number): RunGraph => ({
  run_id: "run-1",
  revision,
  state,
  nodes: [{ id: "ask", title: "Ask", type: "agent", agent_name: "Asker", state }],
  edges: [],
});

export const stepEvent = (revision: number, state: "running" | "succeeded"): WorkflowRunEvent => ({
  type: "step",
  run_id: "run-1",
  revision,
  at: created_at,
  step: {
    path: "ask",
    step_id: "ask",
    type: "agent",
    agent_name: "Asker",
    state,
    attempt: 1,
    started_at: created_at,
    ...(state === "succeeded" && { ended_at: "2026-03-01T10:00:02.000Z" }),
  },
});

export const endEvent: WorkflowRunEvent = {
  type: "run",
  run_id: "run-1",
  revision: 3,
  at: created_at,
  state: "succeeded",
  output: "done",
};

/** A run that succeeds once `goOn` resolves. */
export function runningZone(more: FakeAnswers = {}, goOn: Promise<unknown> = Promise.resolve()) {
  let isOver = false;
  return startFakeZone({
    "POST /runs": (response) => answerWith(response, 201, summary),
    "GET /runs/run-1": endedRun,
    "GET /runs/run-1/graph": (response) =>
      answerWith(response, 200, isOver ? graphWith("succeeded", 3) : graphWith("running", 1)),
    "GET /runs/run-1/events": (response) => {
      stream(response, [[stepEvent(1, "running"), 1]]);
      const end = (): void => {
        isOver = true;
        stream(response, [[stepEvent(2, "succeeded")], [endEvent, 3]]);
        response.end();
      };
      void goOn.then(end);
    },
    ...more,
  });
}
