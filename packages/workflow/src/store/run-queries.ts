import { type Engine, now, storedBytes } from "@crosszone/sql";
import { type Kysely, sql } from "kysely";
import { type RunRow, runStatesColumns, type RunStatesRow } from "./run-row.ts";
import { type StepRow, stepStateColumns, type StepStateRow } from "./step-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A consistent snapshot of a run's row and its steps' rows. */
export interface RunRows<Row, Step> {
  readonly row: Row;
  readonly steps: readonly Step[];
}

/** Reads a consistent snapshot of a run's row and of the step rows that changed after a revision. Undefined if the run does not exist. */
export async function readRun(
  db: Kysely<WorkflowTables>,
  runId: string,
  since = -1,
): Promise<RunRows<RunRow, StepRow> | undefined> {
  const steps = db.selectFrom("workflow_step").selectAll().where("run_id", "=", runId);
  return atOneMoment({
    row: () => db.selectFrom("workflow_run").selectAll().where("run_id", "=", runId).executeTakeFirst(),
    steps: () => steps.where("revision", ">", since).execute(),
  });
}

/** What a read of a run costs. */
export interface RunSize extends RunStanding {
  /** The stored bytes of the run and of the steps that changed after a revision. */
  readonly bytes: number;
}

/** Returns the size of a run, without reading its content. Undefined if the run does not exist. */
export async function readSize(db: Kysely<WorkflowTables>, runId: string, since = -1): Promise<RunSize | undefined> {
  const row = await db
    .selectFrom("workflow_run")
    .select(["revision", "ended_at", storedBytes("input", "definition", "output", "error").as("own")])
    .select((eb) =>
      eb
        .selectFrom("workflow_step")
        .whereRef("workflow_step.run_id", "=", "workflow_run.run_id")
        .where("workflow_step.revision", ">", since)
        .select(sql<number | null>`sum(${storedBytes("input", "output", "error")})`.as("bytes"))
        .as("steps"),
    )
    .where("run_id", "=", runId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { revision, ended_at, own, steps } = row;
  return { revision, hasEnded: ended_at !== null, bytes: own + (steps ?? 0) };
}

/** Reads a run and all its steps without inputs and outputs. */
export const readStates = (
  db: Kysely<WorkflowTables>,
  runId: string,
): Promise<RunRows<RunStatesRow, StepStateRow> | undefined> =>
  atOneMoment({
    row: () => db.selectFrom("workflow_run").select(runStatesColumns).where("run_id", "=", runId).executeTakeFirst(),
    steps: () => db.selectFrom("workflow_step").select(stepStateColumns).where("run_id", "=", runId).execute(),
  });

interface Revised {
  readonly revision: number;
}

async function atOneMoment<Row extends Revised, Step extends Revised>(read: {
  readonly row: () => Promise<Row | undefined>;
  readonly steps: () => Promise<readonly Step[]>;
}): Promise<RunRows<Row, Step> | undefined> {
  for (;;) {
    const row = await read.row();
    if (row === undefined) return undefined;
    const steps = await read.steps();
    // A step with a later revision means that the run changed between the two reads.
    if (steps.every(({ revision }) => revision <= row.revision)) return { row, steps };
  }
}

/** Revision of a run, and whether it has ended. */
export interface RunStanding {
  readonly revision: number;
  readonly hasEnded: boolean;
}

/** Returns the revisions of runs by id, in one small query. Missing runs are left out. */
export async function readStandings(
  db: Kysely<WorkflowTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunStanding>> {
  const runs = db.selectFrom("workflow_run").select(["run_id", "revision", "ended_at"]);
  const rows = await runs.where("run_id", "in", ids).execute();
  return new Map(rows.map(({ run_id, revision, ended_at }) => [run_id, { revision, hasEnded: ended_at !== null }]));
}

/** A run whose timer is due. */
export interface DueRun {
  readonly runId: string;
  /** How long the timer has been due, milliseconds. */
  readonly lateMs: number;
}

/** Returns up to `most` runs whose timers are due, longest overdue first, and the time until the next timer of any run, milliseconds. */
export async function findDueRuns(
  db: Kysely<WorkflowTables>,
  engine: Engine,
  most: number,
): Promise<{ readonly due: readonly DueRun[]; readonly nextInMs: number | undefined }> {
  const time = sql`(select ${now(engine)})`;
  const { rows } = await sql<{ run_id: string | null; late: number | null }>`
    select * from (select run_id, ${time} - due_at as late from workflow_run
      where due_at <= ${time} order by due_at limit ${most}) as due
    union all select null, ${time} - min(due_at) from workflow_run where due_at > ${time}`.execute(db);
  const due = rows.flatMap(({ run_id, late }) => (run_id === null ? [] : [{ runId: run_id, lateMs: late ?? 0 }]));
  const next = rows.find(({ run_id }) => run_id === null)?.late ?? undefined;
  return { due, nextInMs: next === undefined ? undefined : -next };
}
