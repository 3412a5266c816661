import type { RunList, RunState } from "@crosszone/contracts";
import { columnText, type Engine, now, storedBytes, withinPageBytes } from "@crosszone/sql";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { RecordCodec } from "@crosszone/service-kit";
import { summaryColumns, summaryOf } from "./present-run.ts";
import type { Page } from "./version-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

export interface RunQuery extends Page {
  readonly workflowId?: string;
  readonly state?: RunState;
  readonly correlationId?: string;
}

/** Readings of all runs, for metrics. */
export interface RunReadings {
  /** Runs that have not ended. */
  readonly open: number;
  /** The longest delay of a due timer, milliseconds; 0 when none is due. */
  readonly oldestDueMs: number;
}

/** Returns runs, newest first. */
export async function listRuns(
  db: Kysely<WorkflowTables>,
  { workflowId, state, correlationId, limit, offset }: RunQuery,
  codec: RecordCodec,
): Promise<RunList> {
  const matches = (eb: ExpressionBuilder<WorkflowTables, "workflow_run">) =>
    eb.and({
      workflow_id: workflowId,
      state,
      ...(correlationId !== undefined && { correlation_id: columnText(correlationId) }),
    });
  const sized = db
    .selectFrom("workflow_run")
    .select(["run_id", storedBytes("error").as("bytes")])
    .where(matches);
  const page = sized.orderBy("created_at", "desc").orderBy("run_id", "desc").limit(limit).offset(offset);
  const rows = await db
    .selectFrom("workflow_run")
    .select(summaryColumns)
    .where(withinPageBytes("workflow_run", ["run_id"], page))
    .orderBy("created_at", "desc")
    .orderBy("run_id", "desc")
    .execute();
  const { total } = await db
    .selectFrom("workflow_run")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where(matches)
    .executeTakeFirstOrThrow();
  return { runs: rows.map((row) => summaryOf(row, codec)), total, limit, offset };
}

export async function readReadings(db: Kysely<WorkflowTables>, engine: Engine): Promise<RunReadings> {
  // Uses the index: the table can be large.
  const { open } = await db
    .selectFrom("workflow_run")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("state", "in", ["pending", "running"])
    .executeTakeFirstOrThrow();
  const due = await sql<{ ms: number | null }>`
    select ${now(engine)} - min(due_at) as ms from workflow_run where due_at is not null`.execute(db);
  return { open, oldestDueMs: Math.max(0, due.rows[0]?.ms ?? 0) };
}
