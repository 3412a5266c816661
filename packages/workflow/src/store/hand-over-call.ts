import {
  agentCallKind,
  agentResultKind,
  endColumns,
  endRow,
  executionJobs,
  leaseColumns,
  isLeasedText,
  jobChannel,
  jobStates,
  resultText,
  type EndingJob,
  type ExecutionColumn,
  type JobStore,
} from "@crosszone/jobs";
import { notifyText, nowText, writeStatement, type Database, type Engine } from "@crosszone/sql";
import type { WorkflowTables } from "./workflow-tables.ts";

/**
 * Makes a call that this process holds a job for processes that advance runs, with its result as output. Returns false when
 * the call was lost. `isAgain`: a process may have died of the result.
 */
export type HandOverCall = (ending: EndingJob<ExecutionColumn>, how: { readonly isAgain: boolean }) => Promise<boolean>;

/** Leases count again from here: the first is the first attempt to apply the result. */
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
      told as materialized (
        select ${notifyText("postgres", jobChannel, `'${agentResultKind}'`)} from (select 1 from changed limit 1) as news)
      select id from changed where (select count(*) from told) >= 0`,
  });
}

export function createHandOverCall(
  { engine, write }: Pick<Database<WorkflowTables>, "engine" | "write">,
  jobs: Pick<JobStore<ExecutionColumn>, "owner">,
): HandOverCall {
  const statement = statementOf(engine);
  return async ({ leaseId, end }, { isAgain }) => {
    const row = { ...endRow(executionJobs, leaseId, { owner: jobs.owner(), end }), deaths: Number(isAgain) };
    const [isStored] = await write(statement, [row]);
    return isStored ?? false;
  };
}
