import { type Database, notifyText, now, type QueryRunner } from "@crosszone/sql";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { endedPrefix, jobChannel } from "../table/job-events.ts";
import {
  type FoundJob,
  type JobEnd,
  type JobReadings,
  type JobSchema,
  jobStates,
  type JobTables,
  type LeasedJob,
  type LeaseId,
  type LostJob,
} from "../table/job-tables.ts";
import { emptiedText } from "../table/job-texts.ts";
import type { EndingJob } from "./grouped-writes.ts";

type Queries = Database<JobTables>;

/** Returns a job and how it ended; undefined when it does not exist. */
export const findJob = (db: Kysely<JobTables>, id: string): Promise<FoundJob | undefined> =>
  db.selectFrom("job").select(["state", "record", "outcome", "output"]).where("id", "=", id).executeTakeFirst();

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

/** Returns the leases of `owner` on jobs of a kind's shares. */
export function findLeases(db: Kysely<JobTables>, kind: string, owner: string): Promise<LeaseId[]> {
  const leases = db.selectFrom("job").select(["id", "attempt"]).where("owner", "=", owner).where("state", "=", 1);
  return leases.where("share", ">=", kind).where("share", "<", `${kind}!`).execute();
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

/** Returns those of the ends that `owner` had stored. */
export async function findEnded<Ending extends EndingJob>(
  db: Kysely<JobTables>,
  endings: readonly Ending[],
  owner: string,
): Promise<ReadonlySet<EndingJob>> {
  const ids = endings.map(({ leaseId }) => leaseId.id);
  const found = db.selectFrom("job").select(["id", "attempt", "outcome"]).where("id", "in", ids);
  const rows = await found.where("owner", "=", owner).where("state", "=", jobStates.ended).execute();
  const isStored = ({ leaseId, end }: EndingJob): boolean =>
    rows.some(
      ({ id, attempt, outcome }) => id === leaseId.id && attempt === leaseId.attempt && outcome === end.outcome,
    );
  return new Set(endings.filter(isStored));
}

/** Deletes jobs of a kind that ended more than `retentionMs` ago, `most` at most. Returns how many. */
export async function forgetJobs(
  { db, engine }: Queries,
  { kind, retentionMs, most }: { readonly kind: string; readonly retentionMs: number; readonly most: number },
): Promise<number> {
  const old = sql`kind = ${kind} and state = 4 and ended_at < (select ${now(engine)} - ${retentionMs})`;
  const { numAffectedRows = 0n } = await sql`
    delete from job where sequence in (
      select sequence from job where ${old} order by ended_at limit ${sql.lit(most)}) and ${old}`.execute(db);
  return Number(numAffectedRows);
}

/** Ends a job, whichever process has leased it. Returns it as it was; undefined when it had ended or does not exist. */
export async function endOpenJob<Own extends string>(
  { db, engine }: Queries,
  { id, end, schema }: { readonly id: string; readonly end: JobEnd<Own>; readonly schema: JobSchema<Own> },
): Promise<LeasedJob<Own> | undefined> {
  const values: Readonly<Record<string, string | number | null | undefined>> = end.own ?? {};
  const sets = schema.ended.map((name) => sql`${sql.ref(name)} = ${values[name] ?? null}, `);
  const own = Object.keys(schema.own).map((name) => sql`, ${sql.ref(name)}`);
  const { rows } = await sql<LeasedJob<Own>>`
    update job set state = 4, owner = null, ended_at = ${now(engine)}, outcome = ${end.outcome}, output = ${end.output},
      ${sql.join(sets, sql``)}${sql.raw(emptiedText(schema))}
    where id = ${id} and state < 4
    returning id, kind, share, attempt, parent, team, record, input, output${sql.join(own, sql``)},
      deadline_at - ${now(engine)} as remaining_ms, ended_at - created_at as waited_ms,
      ${sql.raw(notifyText(engine, jobChannel, `'${endedPrefix}' || id`))} as notified`.execute(db);
  return rows[0];
}

/** Reads the load of a kind from the indexes: jobs can be many, and their rows contain large inputs. */
export async function readJobs({ db, engine }: Queries, kind: string): Promise<JobReadings> {
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
