import { agentCallKind, agentResultKind, type ExecutionColumn, executionJobs } from "@crosszone/agent-calls";
import {
  emptiedText,
  endColumns,
  type EndingJob,
  endRow,
  leaseColumns,
  insertColumns,
  insertText,
  isLeasedText,
  jobChannel,
  jobStates,
  type JobStore,
  resultText,
} from "@crosszone/jobs";
import {
  type ColumnKind,
  type Database,
  type Engine,
  notifyText,
  nowText,
  rowsStatement,
  type WriteRow,
  writeStatement,
} from "@crosszone/sql";
import type { Kysely } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

type Columns = Readonly<Record<string, ColumnKind>>;

/** The columns of calls that are deleted because their result is applied. */
export const endedColumns: Columns = { ...leaseColumns, run_id: "text" };

/** The columns of new calls. */
export const callColumns: Columns = insertColumns(executionJobs);

/** Returns the text that adds calls from a table expression named `new`. */
export const addCallsText = (rows: string, engine: Engine): string => insertText(executionJobs, rows, engine);

/** Returns the text that ends calls, also those that other processes lease. */
export const dropCallsText = (rows: string, engine: Engine): string => `
  update job set state = ${jobStates.ended}, ended_at = ${nowText[engine]}, owner = null, outcome = new.outcome, output = null,
    ${emptiedText(executionJobs)} from ${rows} where job.id = new.id and job.state < ${jobStates.ended}`;

const finding = rowsStatement({
  columns: leaseColumns,
  text: (rows, engine) => {
    const found = `select job.id from ${rows} join job on ${isLeasedText}`;
    return engine === "postgres" ? `${found} order by job.id for update of job` : found;
  },
});

/** Returns the ids of the calls whose leases have not expired. A transaction on PostgreSQL locks them until it ends. */
export async function findLeasedCalls(
  db: Pick<Kysely<never>, "executeQuery">,
  engine: Engine,
  rows: readonly WriteRow<string>[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const found = await finding<{ readonly id: string }>(db, engine, rows as readonly WriteRow<"id">[] as never);
  return new Set(found.map(({ id }) => id));
}

/**
 * Turns a call that this process leases into a job for processes that advance runs, with its result as output. Returns false when
 * the call was lost. `isRetry`: the result may have crashed a process.
 */
export type HandOverCall = (ending: EndingJob<ExecutionColumn>, how: { readonly isRetry: boolean }) => Promise<boolean>;

/** The count of leases restarts: the first is the first attempt to apply the result. */
function statementOf(engine: Engine) {
  const text = (rows: string): string => `update job set kind = '${agentResultKind}', share = '${agentResultKind}',
    state = ${jobStates.ready}, attempt = new.deaths, due_at = ${nowText[engine]}, owner = null,
    ${resultText(executionJobs)}
    from ${rows} where ${isLeasedText} and job.kind = '${agentCallKind}'`;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: {
      ...leaseColumns,
      deaths: "bigint",
      ...endColumns(executionJobs),
    },
    text,
    postgresText: (rows) => `with changed as (${text(rows)} returning job.id),
      notified as materialized (
        select ${notifyText("postgres", jobChannel, `'${agentResultKind}'`)} from (select 1 from changed limit 1) as news)
      select id from changed where (select count(*) from notified) >= 0`,
  });
}

export function createHandOverCall(
  { engine, write }: Pick<Database<WorkflowTables>, "engine" | "write">,
  jobs: Pick<JobStore<ExecutionColumn>, "owner">,
): HandOverCall {
  const statement = statementOf(engine);
  return async ({ leaseId, end }, { isRetry }) => {
    const row = { ...endRow(executionJobs, leaseId, { owner: jobs.owner(), end }), deaths: Number(isRetry) };
    const [isStored] = await write(statement, [row]);
    return isStored ?? false;
  };
}
