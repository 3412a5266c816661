import { emptiedText, executionJobs, type ExecutionJobTables } from "@crosszone/jobs";
import { now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { shareOf } from "./shares.ts";

const everyMs = 3_600_000;
const mostAtOnce = 500;
/** How long after its deadline a call waits for the result of another program, milliseconds. */
const graceMs = 3_600_000;

/** Ends calls whose result never came, now and every hour. Returns a function that stops it. */
export function startEndingOverdue(database: Database<ExecutionJobTables>): () => Promise<void> {
  const stopped = new AbortController();

  async function endAll(): Promise<void> {
    for (let ended = mostAtOnce; ended === mostAtOnce && !stopped.signal.aborted;) ended = await endSome(database);
  }
  // Other operations report a database error; this one retries in an hour.
  const begin = (): Promise<void> => endAll().catch(() => undefined);
  let running = begin();
  const timer = setInterval(() => {
    running = begin();
  }, everyMs).unref();
  return async () => {
    stopped.abort();
    clearInterval(timer);
    await running;
  };
}

async function endSome({ db, engine }: Database<ExecutionJobTables>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update job set state = 4, ended_at = ${now(engine)}, outcome = 'failed', error_kind = 'deadline_exceeded',
      ${sql.raw(emptiedText(executionJobs))}
    where state = 3 and sequence in (
      select sequence from job
      where kind = 'agent_call' and state = 3 and share = ${shareOf("agent_tasks")}
        and deadline_at < (select ${now(engine)} - ${graceMs})
      limit ${sql.lit(mostAtOnce)})`.execute(db);
  return Number(numAffectedRows);
}
