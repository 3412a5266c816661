import type { RunProblem } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Selectable } from "kysely";
import type { StepRecord } from "../state/run-record.ts";
import { stepContext, type StepKey } from "./stored-run.ts";
import type { WorkflowStepTable } from "./workflow-tables.ts";

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
type Rest = Pick<StepRecord, "due_at" | "calls" | "is_true" | "count" | "timed_out">;

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
    ...(output !== null && { output: codec.fromColumn(output, stepContext("output", row)) }),
    ...(error !== null && { error: codec.fromColumn(error, stepContext("error", row)) as RunProblem }),
  };
}

/** Returns a step's state without input and output. */
export function stepStateOf(row: StepStateRow): StepRecord {
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
