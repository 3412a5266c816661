import { type Database, now, type QueryRunner } from "@crosszone/sql";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type JobReadings, jobStates, type JobTables, type LeaseId, type LostJob } from "../table/job-tables.ts";

/** Returns the outputs of jobs that have ended; `open` for others. Those that don't exist are absent. */
export async function findOutputs(
  db: Kysely<JobTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly output: string } | "open">> {
  // An open job can have its output while this waits to be passed on.
  const output = sql<string | null>`case when state = ${sql.lit(jobStates.ended)} then output end`;
  const jobs = db
    .selectFrom("job")
    .select(["id", output.as("output")])
    .where("id", "in", ids);
  const rows = await jobs.execute();
  return new Map(rows.map(({ id, output: text }) => [id, text === null ? "open" : { output: text }]));
}

/** Returns the leases that `owner` has lost. `transaction`: the one to read in. */
export async function findLost(
  db: Kysely<JobTables>,
  leases: readonly LeaseId[],
  { owner, transaction = db }: { readonly owner: string; readonly transaction?: QueryRunner | undefined },
): Promise<readonly LostJob[]> {
  if (leases.length === 0) return [];
  const ids = leases.map(({ id }) => id);
  const query = db.selectFrom("job").select(["id", "owner", "attempt", "state", "outcome"]).where("id", "in", ids);
  const { rows } = await transaction.executeQuery(query.compile());
  const found = new Map(rows.map((row) => [row.id, row]));
  return leases.flatMap(({ id, attempt }) => {
    const row = found.get(id);
    const isLeased = row?.state === jobStates.leased && row.owner === owner && row.attempt === attempt;
    return isLeased ? [] : [{ id, attempt, outcome: row?.outcome }];
  });
}

/** Reads the load of a kind from the indexes: jobs can be many, and their rows contain large inputs. */
export async function readJobs({ db, engine }: Database<JobTables>, kind: string): Promise<JobReadings> {
  const time = sql`(select ${now(engine)})`;
  const counted = (state: number, where: RawBuilder<unknown>) => sql`
    select ${sql.lit(state)} as state, count(*) as count, ${time} - min(created_at) as oldest_ms from job where ${where}`;
  const { ready, leased, behind, waiting, parked } = jobStates;
  const { rows } = await sql<{ state: number; count: number; oldest_ms: number | null }>`
    ${counted(ready, sql`state = 0 and share >= ${kind} and share < ${`${kind}!`}`)}
    union all ${counted(leased, sql`state = 1 and kind = ${kind}`)}
    union all ${counted(behind, sql`state = 2 and kind = ${kind}`)}
    union all ${counted(waiting, sql`state = 3 and kind = ${kind}`)}
    union all ${counted(parked, sql`state = 5 and kind = ${kind}`)}`.execute(db);
  const of = (...states: readonly number[]) => rows.filter(({ state }) => states.includes(state));
  const count = (...states: readonly number[]): number => of(...states).reduce((sum, row) => sum + row.count, 0);
  const oldest = (...states: readonly number[]): number =>
    Math.max(0, ...of(...states).map((row) => row.oldest_ms ?? 0));
  return {
    open: count(ready, leased, behind, waiting),
    waiting: count(ready, behind),
    parked: count(parked),
    oldestWaitingMs: oldest(ready, behind),
    oldestOpenMs: oldest(ready, leased, behind, waiting),
  };
}
