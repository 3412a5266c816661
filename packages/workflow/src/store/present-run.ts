import { callId } from "@crosszone/agent-calls";
import type {
  RunChanged,
  RunProblem,
  StepChanged,
  WorkflowDefinition,
  WorkflowRun,
  WorkflowRunSummary,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import { opened, type RecordCodec } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { outputOf } from "../run/lanes.ts";
import { pausesDeadline } from "../run/run-events.ts";
import { canRetryHelp, type RunRecord, type RunView, stepIdOf, stepOf, viewOf } from "../steps/run-record.ts";
import { agentOf, stepKindOf } from "../steps/step-kinds.ts";
import { latestOf, originOf, type RunRow, stepOfRow, type StepRow, type StepStateRow } from "./run-row.ts";
import { runContext, type RunRequester, stepContext, type StoredRun } from "./stored-run.ts";

export const summaryColumns = [
  "run_id",
  "workflow_id",
  "version",
  "name",
  "state",
  "revision",
  "correlation_id",
  "error",
  "created_at",
  "started_at",
  "ended_at",
  "deadline_at",
  "record",
  "tree_id",
  "parent_id",
] as const;

type SummaryRow = Pick<RunRow, (typeof summaryColumns)[number]>;

/** Returns a run without its steps. An error that no key decrypts becomes an internal error, so that the rest of a list stays visible. */
export function summaryOf(row: SummaryRow, codec: RecordCodec): WorkflowRunSummary {
  const error = row.error === null ? undefined : problemOf(row.error, runContext("error", row.run_id), codec);
  const origin = opened(() => originOf(row, codec));
  return summaryWith(row, { error, requester: origin?.requester, createdAt: row.created_at, times: row });
}

/** Returns the summary of a run that was read completely. */
export function summaryOfRun({ plan, record, origin, revision, createdAt }: StoredRun): WorkflowRunSummary {
  const { correlation_id, requester } = origin;
  const named = { ...plan.definition, run_id: record.run_id, state: record.state, revision, correlation_id };
  const summary = summaryWith(named, { error: record.error, requester, createdAt, times: record });
  const { deadline_at, ended_at, steps, updated_at } = record;
  const isPaused = ended_at === undefined && pausesDeadline(plan.definition, steps);
  if (deadline_at === undefined || !isPaused) return summary;
  // The next event moves the deadline by the time since this one.
  return { ...summary, deadline: undefined, remaining_ms: Math.max(0, deadline_at - updated_at) };
}

type Named = "run_id" | "workflow_id" | "version" | "name" | "state" | "revision" | "correlation_id";

function summaryWith(
  { run_id, workflow_id, version, name, state, revision, correlation_id }: Pick<WorkflowRunSummary, Named>,
  about: {
    readonly error: RunProblem | undefined;
    readonly requester: RunRequester | undefined;
    readonly createdAt: number;
    readonly times: SummaryRow | RunRecord;
  },
): WorkflowRunSummary {
  const { error, requester: by = {}, createdAt, times } = about;
  const named = { run_id, workflow_id, version, name, state, revision, correlation_id };
  const { name: shown, requester, team_id, channel, thread_ts } = by;
  const isFailed = state === "failed" || state === "timed_out";
  return {
    ...named,
    error,
    // Whether a retry can end differently, if its state allows one.
    retryable: isFailed ? canRetryHelp(error) : undefined,
    requester,
    team_id,
    channel,
    thread_ts,
    names: shown === undefined || requester === undefined ? undefined : { [requester]: shown },
    created_at: isoTime(createdAt),
    started_at: timeOf(times.started_at),
    ended_at: timeOf(times.ended_at),
    deadline: timeOf(times.deadline_at),
  };
}

/** Converts Unix milliseconds. A missing time is null in a row and absent in a record. */
const timeOf = (ms: number | null | undefined): string | undefined => (ms == null ? undefined : isoTime(ms));

/** The error of a run that can't be decrypted. */
export const unreadableProblem: RunProblem = {
  kind: "internal",
  message: "The run can't be read: its key is missing, or its stored text was modified.",
};

const problemOf = (text: string, context: string, codec: RecordCodec): RunProblem =>
  (opened(() => codec.fromColumn(text, context)) as RunProblem | undefined) ?? unreadableProblem;

export interface PresentedRun {
  readonly row: RunRow;
  readonly steps: readonly StepRow[];
  readonly stored: StoredRun;
}

/** Returns a run with the latest attempt of every step, in the order in which they started. */
export function presentRun({ steps, stored }: PresentedRun, codec: RecordCodec): WorkflowRun {
  const { plan, record } = stored;
  const view = shownView(stored);
  return {
    ...summaryOfRun(stored),
    input: plan.input,
    output: record.output,
    definition: plan.definition,
    steps: latest(steps).map((step) => presentStep(step, view, codec)),
  };
}

/** Returns what changed in a run after a revision: the changed steps, and the run itself if its state changed. */
export function changesSince(
  { row, steps, stored }: PresentedRun,
  since: number,
  codec: RecordCodec,
): readonly (RunChanged | StepChanged)[] {
  const view = shownView(stored);
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
    output,
    error,
  };
  // The end of a run is its last event; any other change of state comes before its steps.
  return row.ended_at === null ? [run, ...events] : [...events, run];
}

/** A composite step in up to twelve others repeats their outputs, so those of large runs are not shown. Bytes. */
const mostComputed = 1_000_000;

/** Returns whether the outputs of a run's composite steps are shown. */
export const showsComputed = ({ record }: StoredRun): boolean => record.bytes <= mostComputed;

/** A run as its steps are shown. */
interface ShownView extends RunView {
  readonly showsComputed: boolean;
}

export const shownView = (stored: StoredRun): ShownView => ({
  ...viewOf(stored.plan.definition, stored.record),
  showsComputed: showsComputed(stored),
});

/** Returns a step without what its agent received and returned. */
export function stepHead(row: StepStateRow, definition: WorkflowDefinition): WorkflowStepRecord {
  const { run_id, path, attempt, state, task_id, started_at, ended_at } = row;
  const step = stepOf(definition, stepIdOf(path));
  return {
    path,
    step_id: step.id,
    type: step.type,
    title: step.title,
    agent_name: agentOf(step),
    state,
    attempt,
    task_id: task_id ?? undefined,
    child_run_id: step.type === "workflow" && task_id !== null ? callId({ run_id, task_id }) : undefined,
    started_at: timeOf(started_at),
    ended_at: timeOf(ended_at),
  };
}

/** Returns a step for display. The output of a composite step is computed from its inner steps. */
export function presentStep(row: StepRow, view: ShownView, codec: RecordCodec): WorkflowStepRecord {
  const { path, input } = row;
  const { state, output, error } = stepOfRow(row, codec);
  const step = stepOf(view.definition, stepIdOf(path));
  // The output of a call is that of this attempt; any other is computed.
  const isCall = stepKindOf(step).form === "leaf";
  const isComputed = state === "succeeded" && view.showsComputed;
  const shownOutput = isCall ? output : isComputed ? outputOf(view, path) : undefined;
  return {
    ...stepHead(row, view.definition),
    input: input === null ? undefined : codec.fromColumn(input, stepContext("input", row)),
    output: shownOutput,
    error,
  };
}

const latest = (steps: readonly StepRow[]): StepRow[] => latestOf(steps).toSorted(inOrder);

const collator = new Intl.Collator("en", { numeric: true });

function inOrder(a: StepRow, b: StepRow): number {
  const began = ({ started_at }: StepRow): number => started_at ?? Number.MAX_SAFE_INTEGER;
  return began(a) - began(b) || collator.compare(a.path, b.path);
}
