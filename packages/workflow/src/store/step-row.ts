import type { RunProblem } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Selectable } from "kysely";
import type { StepRecord } from "../run/run-record.ts";
import { stepContext, type StepKey } from "./stored-run.ts";
import type { WorkflowStepTable } from "./workflow-tables.ts";

export type StepRow = Selectable<WorkflowStepTable>;

/** The columns that tell how a step stands, and nothing of what anybody has said. */
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

/** What of a step has no column. */
type Rest = Pick<StepRecord, "due_at" | "calls" | "is_true" | "count" | "timed_out">;

/** A step that changed. */
export interface StepChange {
  readonly path: string;
  readonly step: StepRecord;
  /** What its agent is given, if that is now. */
  readonly given?: { readonly task_id: string; readonly input: unknown };
}

/** The row of a step that changed. Without `given`, task and input stay as they are stored. */
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

/** Throws a `SealedTextError` when no key opens it. */
export function stepOfRow(row: StepRow, codec: RecordCodec): StepRecord {
  const { output, error } = row;
  return {
    ...stepStateOf(row),
    ...(output !== null && { output: codec.fromColumn(output, stepContext("output", row)) }),
    ...(error !== null && { error: codec.fromColumn(error, stepContext("error", row)) as RunProblem }),
  };
}

/** How a step stands, without what was said. */
export function stepStateOf(row: StepStateRow): StepRecord {
  const { attempt, state, started_at, ended_at, record } = row;
  if (state === "skipped") throw new TypeError(`the step ${row.path} was passed by, and yet has a row`);
  return {
    state,
    attempt,
    ...(started_at !== null && { started_at }),
    ...(ended_at !== null && { ended_at }),
    ...(JSON.parse(record) as Rest),
  };
}
