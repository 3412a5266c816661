import type { RunProblem, WorkflowDefinition } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Selectable } from "kysely";
import { createExpressions } from "../expressions.ts";
import type { RunPlan } from "../run/run-plan.ts";
import type { RunRecord, StepRecord } from "../run/run-record.ts";
import { recently } from "./recently.ts";
import { stepOfRow, type StepRow } from "./step-row.ts";
import { runContext, type RunOrigin, type StoredRun } from "./stored-run.ts";
import type { WorkflowRunTable } from "./workflow-tables.ts";

export type RunRow = Selectable<WorkflowRunTable>;

/** The columns that change with the run. */
export type RunStateRow = Pick<
  RunRow,
  | "run_id"
  | "state"
  | "revision"
  | "state_revision"
  | "due_at"
  | "updated_at"
  | "started_at"
  | "ended_at"
  | "deadline_at"
  | "output"
  | "error"
>;

export function runStateRow(
  { run_id, output, error, ...run }: RunRecord,
  { revision, stateRevision }: Pick<StoredRun, "revision" | "stateRevision">,
  codec: RecordCodec,
): RunStateRow {
  return {
    run_id,
    state: run.state,
    revision,
    state_revision: stateRevision,
    due_at: run.due_at,
    updated_at: run.updated_at,
    started_at: run.started_at ?? null,
    ended_at: run.ended_at ?? null,
    deadline_at: run.deadline_at ?? null,
    output: output === undefined ? null : codec.toColumn(output, runContext("output", run_id)),
    error: error === undefined ? null : codec.toColumn(error, runContext("error", run_id)),
  };
}

export interface RunReading {
  readonly codec: RecordCodec;
  /** The plan of a definition, by its JSON. */
  readonly planOf: (definition: string) => Omit<RunPlan, "input">;
}

/** So many definitions are kept that were read, those that were asked for last: many runs follow the same one. */
const mostPlans = 50;

export function createPlans(): RunReading["planOf"] {
  return recently(mostPlans, (text) => ({
    definition: JSON.parse(text) as WorkflowDefinition,
    expressions: createExpressions(),
  }));
}

/** A run from its row and those of all attempts at its steps. Throws a `SealedTextError` when no key opens it. */
export function storedRunOf(row: RunRow, steps: readonly StepRow[], { codec, planOf }: RunReading): StoredRun {
  const { run_id, revision, team } = row;
  const origin = JSON.parse(row.record) as RunOrigin;
  const latest = new Map<string, StepRow>();
  let bytes = row.input.length + row.definition.length;
  for (const step of steps) {
    const known = latest.get(step.path);
    if (known && known.attempt > step.attempt) continue;
    latest.set(step.path, step);
    bytes += 500 + (step.output?.length ?? 0);
  }
  const records: Record<string, StepRecord> = Object.fromEntries(
    [...latest].map(([path, step]) => [path, stepOfRow(step, codec)]),
  );
  const { output, error, due_at, started_at, ended_at, deadline_at } = row;
  const record: RunRecord = {
    run_id,
    state: row.state,
    limits: origin.limits,
    updated_at: row.updated_at,
    ...(started_at !== null && { started_at }),
    ...(deadline_at !== null && { deadline_at }),
    due_at,
    steps: records,
    tasks: tasksOf(latest.values()),
    ...(ended_at !== null && { ended_at }),
    ...(output !== null && { output: codec.fromColumn(output, runContext("output", run_id)) }),
    ...(error !== null && { error: codec.fromColumn(error, runContext("error", run_id)) as RunProblem }),
  };
  const input = codec.fromColumn(row.input, runContext("input", run_id));
  const plan = { ...planOf(row.definition), input };
  return { plan, record, revision, stateRevision: row.state_revision, origin, team, bytes };
}

/** An agent has the task of a step that runs; of no other. */
function tasksOf(steps: Iterable<StepRow>): Record<string, string> {
  const tasks: Record<string, string> = {};
  for (const { task_id, path, state } of steps) if (state === "running" && task_id !== null) tasks[task_id] = path;
  return tasks;
}
