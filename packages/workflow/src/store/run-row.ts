import type { RunProblem } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Selectable } from "kysely";
import type { RunRecord } from "../state/run-record.ts";
import { stepOfRow, type StepRow, stepStateOf, type StepStateRow } from "./step-row.ts";
import { runContext, type RunOrigin, type RunReading, type RunRequester, type StoredRun } from "./stored-run.ts";
import type { WorkflowRunTable } from "./workflow-tables.ts";

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
  { revision, stateRevision, lastRequest }: Pick<StoredRun, "revision" | "stateRevision" | "lastRequest">,
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

/** Builds a run from its row and those of all attempts at its steps. Throws a `SealedTextError` when no key decrypts it. */
export function storedRunOf(row: RunRow, steps: readonly StepRow[], { codec, planOf }: RunReading): StoredRun {
  const { run_id, revision, team, created_at: createdAt } = row;
  const { requester, ...rest } = JSON.parse(row.record) as RunOrigin & { readonly requester?: string };
  const origin: RunOrigin = {
    ...rest,
    correlation_id: row.correlation_id,
    ...(requester !== undefined && {
      requester: codec.fromColumn(requester, runContext("requester", run_id)) as RunRequester,
    }),
  };
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
    ...(output !== null && { output: codec.fromColumn(output, runContext("output", run_id)) }),
    ...(error !== null && { error: codec.fromColumn(error, runContext("error", run_id)) as RunProblem }),
  };
  const input = codec.fromColumn(row.input, runContext("input", run_id));
  const plan = { ...planOf(row.definition), input };
  const { state_revision: stateRevision, last_request: lastRequest } = row;
  return { plan, record, revision, stateRevision, lastRequest, origin, team, createdAt, bytes };
}

/** Returns a run's state without inputs and outputs. */
export function runStatesOf(row: RunStatesRow, steps: readonly StepStateRow[]): RunRecord {
  const { run_id, state, due_at, updated_at, started_at, ended_at, deadline_at, bytes } = row;
  const { limits } = JSON.parse(row.record) as Pick<RunOrigin, "limits">;
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

/** Returns the latest attempt of each step instance. */
export function latestOf<Step extends Pick<StepRow, "path" | "attempt">>(steps: readonly Step[]): readonly Step[] {
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
