import type { RunList, WorkflowRun, WorkflowRunEvent, WorkflowStepRecord } from "@crosszone/contracts";
import { redact } from "@crosszone/service-kit";
import { redactDefinition } from "./redact-definition.ts";

type Said = Partial<Pick<WorkflowStepRecord, "input" | "output" | "error">>;

/** Redacts probable secrets in texts of people and agents, and cuts very long ones, for display. */
function redactSaid<Value extends Said>(value: Value): Value {
  const { input, output, error } = value;
  return {
    ...value,
    ...(input !== undefined && { input: redact(input) }),
    ...(output !== undefined && { output: redact(output) }),
    ...(error !== undefined && { error: redact(error) }),
  };
}

export function redactStep(step: WorkflowStepRecord): WorkflowStepRecord {
  return redactSaid(step);
}

export function redactRun(run: WorkflowRun): WorkflowRun {
  return { ...redactSaid(run), definition: redactDefinition(run.definition), steps: run.steps.map(redactStep) };
}

export function redactList(list: RunList): RunList {
  return { ...list, runs: list.runs.map(redactSaid) };
}

export function redactEvent(event: WorkflowRunEvent): WorkflowRunEvent {
  return event.type === "step" ? { ...event, step: redactStep(event.step) } : redactSaid(event);
}
