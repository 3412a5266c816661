import { now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { jobStates, type JobTables, type JobWorkerTable } from "../table/job-tables.ts";

/**
 * Checks for dead processes. One check is not enough: when the machine or the clock of all processes has jumped, every lease is expired, and
 * the first process to check would take the jobs of the others before they can renew.
 */
export function createReaper(database: Database<JobTables>) {
  let expired = new Map<string, number>();
  return {
    /** Makes jobs ready that have no lease, or the same expired one as at the last check. Returns how many. */
    look: async (): Promise<number> => {
      const suspects = new Map<string, number>();
      const reaped = await reapJobs(database, ({ owner, alive_until }) => {
        if (expired.get(owner) === alive_until) return true;
        suspects.set(owner, alive_until);
        return false;
      });
      expired = suspects;
      return reaped;
    },
    /** Whether the last check found an expired lease for the first time, so that the next check decides. */
    suspects: (): boolean => expired.size > 0,
  };
}

/**
 * Makes the jobs of dead processes ready, and deletes their leases. Returns how many jobs. `isDead` decides about a process whose lease has
 * expired; without it, all are dead.
 */
export async function reapJobs(
  { db, engine }: Database<JobTables>,
  isDead: (lease: JobWorkerTable) => boolean = () => true,
): Promise<number> {
  const expired = await db.selectFrom("job_worker").selectAll().where("alive_until", "<=", now(engine)).execute();
  // First, so that a process cannot renew a lease whose jobs are gone.
  for (const { owner, alive_until } of expired.filter(isDead))
    await db.deleteFrom("job_worker").where("owner", "=", owner).where("alive_until", "=", alive_until).execute();
  const isAlive = sql<boolean>`exists (select 1 from job_worker where job_worker.owner = job.owner)`;
  const { numAffectedRows = 0n } = await sql`
    update job set state = ${sql.lit(jobStates.ready)}, owner = null, due_at = ${now(engine)}
    where state = ${sql.lit(jobStates.leased)} and not ${isAlive}`.execute(db);
  return Number(numAffectedRows);
}
