import type {
  RunChanged,
  RunProblem,
  StepChanged,
  WorkflowRun,
  WorkflowRunSummary,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import { unreadableProblem } from "./end-unreadable.ts";
import { isoTime } from "../iso-time.ts";
import { outputOf } from "../run/output-of.ts";
import { stepOf } from "../run/run-plan.ts";
import { viewOf, type RunView } from "../run/run-view.ts";
import { stepIdOf } from "../run/step-path.ts";
import { latestOf, type RunRow } from "./run-row.ts";
import { stepOfRow, type StepRow } from "./step-row.ts";
import { runContext, stepContext, type StoredRun } from "./stored-run.ts";

/** The columns of a summary. */
export type SummaryRow = Pick<
  RunRow,
  "run_id" | "workflow_id" | "version" | "name" | "state" | "revision" | "correlation_id" | "error"
> &
  Pick<RunRow, "created_at" | "started_at" | "ended_at" | "deadline_at">;

/** A run without its steps. An error that no key opens is told as one of ours: the others of a list are to be seen. */
export function summaryOf(row: SummaryRow, codec: RecordCodec): WorkflowRunSummary {
  const { run_id, workflow_id, version, name, state, revision, correlation_id, error } = row;
  return {
    run_id,
    workflow_id,
    version,
    name,
    state,
    revision,
    correlation_id,
    ...(error !== null && { error: problemOf(error, runContext("error", run_id), codec) }),
    ...momentsOf(row),
  };
}

/** The same of a run that was read as a whole. */
export function summaryOfRun({ plan, record, origin, revision, createdAt }: StoredRun): WorkflowRunSummary {
  const { run_id, state, error } = record;
  const { workflow_id, version, name } = plan.definition;
  return {
    run_id,
    workflow_id,
    version,
    name,
    state,
    revision,
    correlation_id: origin.correlation_id,
    ...(error !== undefined && { error }),
    ...momentsOf({ ...record, created_at: createdAt }),
  };
}

type Moments = Pick<WorkflowRunSummary, "created_at" | "started_at" | "ended_at" | "deadline">;

/** From Unix milliseconds. What has not come yet is null in a row, and left out of a record. */
function momentsOf(
  moments: Pick<SummaryRow, "created_at"> & Partial<Pick<SummaryRow, "started_at" | "ended_at" | "deadline_at">>,
): Moments {
  const { created_at, started_at = null, ended_at = null, deadline_at = null } = moments;
  return {
    created_at: isoTime(created_at),
    ...(started_at !== null && { started_at: isoTime(started_at) }),
    ...(ended_at !== null && { ended_at: isoTime(ended_at) }),
    ...(deadline_at !== null && { deadline: isoTime(deadline_at) }),
  };
}

function problemOf(text: string, context: string, codec: RecordCodec): RunProblem {
  try {
    return codec.fromColumn(text, context) as RunProblem;
  } catch (error) {
    if (error instanceof SealedTextError) return unreadableProblem;
    throw error;
  }
}

export interface PresentedRun {
  readonly row: RunRow;
  readonly steps: readonly StepRow[];
  readonly stored: StoredRun;
}

/** A run with every step in its latest attempt, in the order in which they began. */
export function presentRun({ steps, stored }: PresentedRun, codec: RecordCodec): WorkflowRun {
  const { plan, record } = stored;
  const view = viewOf(plan.definition, record);
  return {
    ...summaryOfRun(stored),
    input: plan.input,
    ...(record.output !== undefined && { output: record.output }),
    definition: plan.definition,
    steps: latest(steps).map((step) => presentStep(step, view, codec)),
  };
}

/** What of a run is later than a revision: the steps that changed since, and the run itself if its state did. */
export function changesSince(
  { row, steps, stored }: PresentedRun,
  since: number,
  codec: RecordCodec,
): readonly (RunChanged | StepChanged)[] {
  const view = viewOf(stored.plan.definition, stored.record);
  const { run_id, state, state_revision, updated_at } = row;
  const changed = latest(steps)
    .filter(({ revision }) => revision > since)
    .toSorted((a, b) => a.revision - b.revision);
  const events: (RunChanged | StepChanged)[] = changed.map((step) => ({
    type: "step",
    run_id,
    revision: step.revision,
    at: isoTime(step.ended_at ?? step.started_at ?? updated_at),
    step: presentStep(step, view, codec),
  }));
  if (state_revision <= since) return events;
  const { output, error } = stored.record;
  const run: RunChanged = {
    type: "run",
    run_id,
    revision: state_revision,
    at: isoTime(row.ended_at ?? row.started_at ?? updated_at),
    state,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  };
  // Its end is the last that is told of it; else it is told before its steps.
  return row.ended_at === null ? [run, ...events] : [...events, run];
}

/** A step for those who look on. What a step made of others puts out is put together of theirs. */
export function presentStep(row: StepRow, view: RunView, codec: RecordCodec): WorkflowStepRecord {
  const { path, attempt, task_id, input } = row;
  const step = stepOf(view.definition, stepIdOf(path));
  const { state, started_at, ended_at, output, error } = stepOfRow(row, codec);
  const putOut = step.type === "agent" ? output : state === "succeeded" ? outputOf(view, path) : undefined;
  return {
    path,
    step_id: step.id,
    type: step.type,
    ...(step.title !== undefined && { title: step.title }),
    ...(step.type === "agent" && { agent_name: step.agent_name }),
    state,
    attempt,
    ...(task_id !== null && { task_id }),
    ...(input !== null && { input: codec.fromColumn(input, stepContext("input", row)) }),
    ...(putOut !== undefined && { output: putOut }),
    ...(error !== undefined && { error }),
    ...(started_at !== undefined && { started_at: isoTime(started_at) }),
    ...(ended_at !== undefined && { ended_at: isoTime(ended_at) }),
  };
}

const latest = (steps: readonly StepRow[]): StepRow[] => latestOf(steps).toSorted(inOrder);

const collator = new Intl.Collator("en", { numeric: true });

function inOrder(a: StepRow, b: StepRow): number {
  const began = ({ started_at }: StepRow): number => started_at ?? Number.MAX_SAFE_INTEGER;
  return began(a) - began(b) || collator.compare(a.path, b.path);
}
