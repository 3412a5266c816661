import type { Kysely } from "kysely";
import { runStatesColumns, type RunRow, type RunStatesRow } from "./run-row.ts";
import { stepStateColumns, type StepRow, type StepStateRow } from "./step-row.ts";
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
