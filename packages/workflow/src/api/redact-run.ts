import type {
  RunList,
  RunProblem,
  WorkflowDefinition,
  WorkflowRun,
  WorkflowRunEvent,
  WorkflowStep,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import { hideSecrets, redact } from "@crosszone/service-kit";
import { expressionsOf } from "../steps/step-kinds.ts";

interface Said {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

const redactMember = (value: unknown): unknown => (value === undefined ? undefined : redact(value));

/** Redacts probable secrets in texts of people and agents, and cuts very long ones, for display. */
function redactSaid<Value extends Said>(value: Value): Value {
  const { input, output, error } = value;
  return { ...value, input: redactMember(input), output: redactMember(output), error: redactMember(error) };
}

export function redactStep(step: WorkflowStepRecord): WorkflowStepRecord {
  return redactSaid(step);
}

/** Redacts probable secrets in mappings and conditions. The result is still a valid definition. */
function redactDefinition(definition: WorkflowDefinition): WorkflowDefinition {
  const { steps, output_mapping } = definition;
  return {
    ...definition,
    steps: Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, step && redactExpressions(step)])),
    output_mapping: redactMember(output_mapping),
  };
}

function redactExpressions(step: WorkflowStep): WorkflowStep {
  const redacted = expressionsOf(step).reduce<unknown>(
    (before, { kind, value, keys }) =>
      withMember(before, keys, kind === "condition" ? hideSecrets(String(value)) : redact(value)),
    step,
  );
  return redacted as WorkflowStep;
}

/** Returns a copy of an object with another value at a path. */
function withMember(object: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const members = object as Readonly<Record<string, unknown>>;
  return { ...members, [key]: withMember(members[key], rest, value) };
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
