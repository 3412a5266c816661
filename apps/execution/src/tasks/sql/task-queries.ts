import type { ErrorKind } from "@crosszone/contracts";
import { forUpdateSkipLocked, now } from "@crosszone/sql";
import { sql } from "kysely";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";
import { taskColumns, type TaskRow } from "./task-row.ts";
import type { TaskTable } from "./task-table.ts";

export type TakenRow = TaskRow & Pick<TaskTable, "attempt" | "handle"> & { readonly remaining_ms: number };

type Queries = Pick<ExecutionDatabase, "db" | "engine">;

const readColumns = sql.join(taskColumns.map((name) => sql.ref(name)));

/**
 * Leases tasks with an expired lease to `owner`. Its own tasks that it doesn't run keep their attempt, because their
 * run never started.
 */
export async function takeRows(
  { db, engine }: Queries,
  {
    owner,
    leaseMs,
    most,
    running,
  }: { readonly owner: string; readonly leaseMs: number; readonly most: number; readonly running: readonly string[] },
): Promise<TakenRow[]> {
  const others = running.length === 0 ? sql`true` : sql`task_id not in (${sql.join(running)})`;
  // Materialized: otherwise PostgreSQL may run the subquery several times during the update and lease more rows than
  // the limit.
  const { rows } = await sql<TakenRow>`
    with free as materialized (
      select task_id from task where finished_at is null and lease_until <= ${now(engine)} and ${others}
      order by lease_until limit ${most} ${forUpdateSkipLocked(engine)})
    update task
    set state = 'working', owner = ${owner}, lease_until = ${now(engine)} + ${leaseMs},
      attempt = case when owner = ${owner} then attempt else attempt + 1 end
    where task_id in (select task_id from free)
    returning ${readColumns}, attempt, handle, deadline_at - ${now(engine)} as remaining_ms`.execute(db);
  return rows;
}

/**
 * Cancels a task that has not ended, with an outcome in the form of its column. Returns the task's age, milliseconds.
 */
export async function cancelRow(
  { db, engine }: Queries,
  { taskId, outcome, kind }: { readonly taskId: string; readonly outcome: string; readonly kind: ErrorKind | null },
): Promise<{ readonly row: TaskRow; readonly afterMs: number } | undefined> {
  const { rows } = await sql<TaskRow & { after_ms: number }>`
    update task
    set state = 'canceled', outcome = ${outcome}, error_kind = ${kind}, finished_at = ${now(engine)}, owner = null,
      params = null, handle = null
    where task_id = ${taskId} and finished_at is null
    returning ${readColumns}, finished_at - created_at as after_ms`.execute(db);
  return rows[0] && { row: rows[0], afterMs: rows[0].after_ms };
}

export async function oldestOpenMs({ db, engine }: Queries): Promise<number> {
  const { rows } = await sql<{ age: number | null }>`
    select ${now(engine)} - min(created_at) as age from task where finished_at is null`.execute(db);
  return Math.max(0, rows[0]?.age ?? 0);
}
