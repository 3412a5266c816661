import type { RunProblem } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Selectable } from "kysely";
import type { RunRecord, StepRecord } from "../steps/run-record.ts";
import {
  runContext,
  type RunOrigin,
  type RunReading,
  type RunRequester,
  stepContext,
  type StepKey,
  type StoredRun,
} from "./stored-run.ts";
import type { WorkflowRunTable, WorkflowStepTable } from "./workflow-tables.ts";

export type StepRow = Selectable<WorkflowStepTable>;

/** The columns of a step's state, without any text of people or agents. */
export const stepStateColumns = [
  "run_id",
  "path",
  "attempt",
  "state",
  "revision",
  "task_id",
  "started_at",
  "ended_at",
  "record",
] as const;

export type StepStateRow = Pick<StepRow, (typeof stepStateColumns)[number]>;

/** Members of a step without their own columns. */
type Rest = Pick<StepRecord, "due_at" | "is_moment" | "calls" | "is_true" | "count" | "timed_out">;

export interface StepChange {
  readonly path: string;
  readonly step: StepRecord;
  /** The agent's input, if the step was just dispatched. */
  readonly given?: { readonly task_id: string; readonly input: unknown };
}

/** Returns the row of a changed step. Without `given`, the stored task and input stay. */
export function stepRowOf(
  { path, step, given }: StepChange,
  run: { readonly run_id: string; readonly revision: number; readonly team: string | null },
  codec: RecordCodec,
): StepRow {
  const { attempt, state, started_at, ended_at, output, error, ...rest } = step;
  const key: StepKey = { run_id: run.run_id, path, attempt };
  return {
    ...key,
    state,
    revision: run.revision,
    task_id: given?.task_id ?? null,
    started_at: started_at ?? null,
    ended_at: ended_at ?? null,
    team: run.team,
    record: JSON.stringify(rest satisfies Rest),
    input: given ? codec.toColumn(given.input, stepContext("input", key)) : null,
    output: output === undefined ? null : codec.toColumn(output, stepContext("output", key)),
    error: error === undefined ? null : codec.toColumn(error, stepContext("error", key)),
  };
}

/** Throws a `SealedTextError` when no key decrypts it. */
export function stepOfRow(row: StepRow, codec: RecordCodec): StepRecord {
  const { output, error } = row;
  return {
    ...stepStateOf(row),
    output: output === null ? undefined : codec.fromColumn(output, stepContext("output", row)),
    error: error === null ? undefined : (codec.fromColumn(error, stepContext("error", row)) as RunProblem),
  };
}

/** Returns a step's state without input and output. */
function stepStateOf(row: StepStateRow): StepRecord {
  const { attempt, state, started_at, ended_at, record } = row;
  if (state === "skipped") throw new TypeError(`the step ${row.path} is skipped but has a row`);
  return {
    state,
    attempt,
    started_at: started_at ?? undefined,
    ended_at: ended_at ?? undefined,
    ...(JSON.parse(record) as Rest),
  };
}

export type RunRow = Selectable<WorkflowRunTable>;

/** The columns of a run's state, without any text of people or agents. */
export const runStatesColumns = [
  "run_id",
  "state",
  "revision",
  "due_at",
  "updated_at",
  "started_at",
  "ended_at",
  "deadline_at",
  "bytes",
  "record",
  "definition",
] as const;

export type RunStatesRow = Pick<RunRow, (typeof runStatesColumns)[number]>;

export const changingColumns = {
  run_id: "text",
  state: "text",
  revision: "bigint",
  state_revision: "bigint",
  last_request: "text",
  due_at: "bigint",
  updated_at: "bigint",
  started_at: "bigint",
  ended_at: "bigint",
  deadline_at: "bigint",
  bytes: "bigint",
  output: "text",
  error: "text",
} as const;

export type ChangingRunRow = Pick<RunRow, keyof typeof changingColumns>;

/** The other columns. */
export type UnchangingRunRow = Omit<RunRow, keyof typeof changingColumns>;

/** Returns those columns for a run's current state. */
export function changingRunRow(
  { run_id, output, error, ...run }: RunRecord,
  { revision, stateRevision, lastRequest }: StoredRun,
  codec: RecordCodec,
): ChangingRunRow {
  return {
    run_id,
    state: run.state,
    revision,
    state_revision: stateRevision,
    last_request: lastRequest,
    due_at: run.due_at,
    updated_at: run.updated_at,
    started_at: run.started_at ?? null,
    ended_at: run.ended_at ?? null,
    deadline_at: run.deadline_at ?? null,
    bytes: run.bytes,
    output: output === undefined ? null : codec.toColumn(output, runContext("output", run_id)),
    error: error === undefined ? null : codec.toColumn(error, runContext("error", run_id)),
  };
}

type OriginColumn = "run_id" | "record" | "correlation_id" | "tree_id" | "parent_id";

/** Returns where a run comes from. Throws a `SealedTextError` when no key decrypts its requester. */
export function originOf(
  { run_id, record, correlation_id, tree_id, parent_id }: Pick<RunRow, OriginColumn>,
  codec: RecordCodec,
): RunOrigin {
  const { requester: sealed, ...rest } = JSON.parse(record) as RunOrigin & { readonly requester?: string };
  const requester =
    sealed === undefined ? undefined : (codec.fromColumn(sealed, runContext("requester", run_id)) as RunRequester);
  return { ...rest, correlation_id, requester, tree_id: tree_id ?? undefined, parent_id: parent_id ?? undefined };
}

/** Builds a run from its row and those of all attempts at its steps. Throws a `SealedTextError` when no key decrypts it. */
export function storedRunOf(row: RunRow, steps: readonly StepRow[], { codec, planOf }: RunReading): StoredRun {
  const { run_id, revision, team, created_at: createdAt } = row;
  const origin = originOf(row, codec);
  const latest = latestOf(steps);
  const bytes = latest.reduce(
    (sum, step) => sum + 500 + (step.output?.length ?? 0),
    row.input.length + row.definition.length,
  );
  const { output, error } = row;
  const record: RunRecord = {
    ...runStatesOf(row, []),
    steps: new Map(latest.map((step) => [step.path, stepOfRow(step, codec)])),
    tasks: tasksOf(latest),
    output: output === null ? undefined : codec.fromColumn(output, runContext("output", run_id)),
    error: error === null ? undefined : (codec.fromColumn(error, runContext("error", run_id)) as RunProblem),
  };
  const input = codec.fromColumn(row.input, runContext("input", run_id));
  const plan = { ...planOf(row.definition), input };
  const { state_revision: stateRevision, last_request: lastRequest } = row;
  return { plan, record, revision, stateRevision, lastRequest, origin, team, createdAt, bytes };
}

/** Returns a run's state without inputs and outputs. */
export function runStatesOf(row: RunStatesRow, steps: readonly StepStateRow[]): RunRecord {
  const { run_id, state, due_at, updated_at, started_at, ended_at, deadline_at, bytes } = row;
  const { limits } = JSON.parse(row.record) as RunOrigin;
  const latest = latestOf(steps);
  return {
    run_id,
    state,
    limits,
    updated_at,
    started_at: started_at ?? undefined,
    deadline_at: deadline_at ?? undefined,
    due_at,
    steps: new Map(latest.map((step) => [step.path, stepStateOf(step)])),
    tasks: tasksOf(latest),
    bytes,
    ended_at: ended_at ?? undefined,
  };
}

export function latestOf<Step extends StepStateRow>(steps: readonly Step[]): readonly Step[] {
  const byPath = new Map<string, Step>();
  for (const step of steps) {
    const known = byPath.get(step.path);
    if (!known || known.attempt < step.attempt) byPath.set(step.path, step);
  }
  return [...byPath.values()];
}

/** Only a running step that waits for an agent or for people has a task. */
function tasksOf(steps: readonly StepStateRow[]): Record<string, string> {
  const tasks: Record<string, string> = {};
  for (const { task_id, path, state } of steps) if (state === "running" && task_id !== null) tasks[task_id] = path;
  return tasks;
}
