import { createGroupCommit, now, retryBriefly, rowsStatement, type Database } from "@crosszone/sql";
import { sql, type Kysely, type Transaction } from "kysely";
import type { JobLease } from "../lease/job-lease.ts";
import { jobStates, type JobSchema, type JobTables } from "../table/job-tables.ts";
import { insertColumns, insertNotifyingText, insertRow } from "../table/job-texts.ts";
import type { LeaseId } from "../table/job.ts";
import { createGroupedWrites, type GroupedWritesDeps } from "./grouped-writes.ts";
import { jobStatements } from "./job-statements.ts";
import type { EndingJob, JobStore } from "./job-store.ts";
import { endOpenJob, findLeases, findLost, readJobs } from "./read-jobs.ts";
import { findWaitingShares, takeJobs, createTakeMarks, type TakeMarks } from "./take-jobs.ts";

export interface JobStoreOptions<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: Pick<JobLease, "owner">;
  readonly schema: JobSchema<Own>;
  /** Where takes start. Pass it if jobs can become ready that are not the last of their share. */
  readonly marks?: TakeMarks;
  /** Lets concurrent writes share a commit; `createGroupCommit` when absent. */
  readonly group?: typeof createGroupCommit;
  readonly onCommit?: GroupedWritesDeps<Own>["onCommit"];
}

/** Creates a store in the zone's database. Concurrent arrivals share a commit, and so do concurrent ends. */
export function createJobStore<Own extends string>(options: JobStoreOptions<Own>): JobStore<Own> {
  const { database, lease, schema, group = createGroupCommit } = options;
  const { db, engine } = database;
  const { marks = createTakeMarks(engine) } = options;
  const statements = jobStatements(schema, engine);
  const own = Object.keys(schema.own);
  const inserting = rowsStatement({
    columns: insertColumns(schema),
    text: (rows, of) => insertNotifyingText(schema, rows, of),
  });
  const writes = createGroupedWrites({ ...options, group });

  return {
    owner: () => lease.owner,

    add: async (job, { unflushed = false } = {}) =>
      (await retryBriefly(() => (unflushed ? writes.addUnflushed({ job }) : writes.add({ job })))).isNew,

    addReading: (job, query) => retryBriefly(() => writes.add({ job, query })),

    addWithin: async (transaction: Transaction<never>, jobs) => {
      const rows = jobs.map((job) => insertRow(schema, job, lease.owner));
      await inserting(transaction, engine, rows);
    },

    waitingShares: (kind) => retryBriefly(() => findWaitingShares(database, kind)),

    take: async (wanted) => {
      const taken = await retryBriefly(() =>
        takeJobs<Own>(database, wanted, { owner: lease.owner, own, markOf: marks.markOf }),
      );
      marks.taken(wanted, taken);
      return taken;
    },

    end: async (jobs, also = []) => {
      const ended = await retryBriefly(() => writes.end({ jobs, also }));
      if (ended.every(Boolean)) return ended;
      const rest = jobs.filter((_, index) => !ended[index]);
      const before = await retryBriefly(() => endedBefore(db, rest, lease.owner));
      return ended.map((isEnded, index) => isEnded || before.has(keyOf(jobs[index] as EndingJob<Own>)));
    },

    endOpen: (id, end) => retryBriefly(() => endOpenJob<Own>(database, { id, end, schema })),

    release: (leases, { counted, afterMs = 0 }) =>
      retryBriefly(async () => {
        const how = { owner: lease.owner, after_ms: Math.round(afterMs), counted: Number(counted) };
        const rows = leases.map(({ id, attempt }) => ({ id, attempt, ...how }));
        if (rows.length > 0) await database.write(statements.release, rows);
      }),

    set: (leaseId, values) => retryBriefly(() => writes.set(leaseId, values)),

    leases: (kind) => retryBriefly(() => findLeases(db, kind, lease.owner)),

    lost: (leases) => retryBriefly(() => findLost(db, leases, lease.owner)),

    forget: (kind, retentionMs, most) =>
      retryBriefly(async () => {
        const old = sql`kind = ${kind} and state = 4 and ended_at < (select ${now(engine)} - ${retentionMs})`;
        const { numAffectedRows = 0n } = await sql`
          delete from job where sequence in (
            select sequence from job where ${old} order by ended_at limit ${sql.lit(most)}) and ${old}`.execute(db);
        return Number(numAffectedRows);
      }),

    readings: (kind) => retryBriefly(() => readJobs(database, kind)),
  };
}

/** Returns the keys of jobs that `owner` had ended: the commit was done, and its response was lost. */
async function endedBefore(
  db: Kysely<JobTables>,
  jobs: readonly EndingJob[],
  owner: string,
): Promise<ReadonlySet<string>> {
  const ids = jobs.map(({ leaseId }) => leaseId.id);
  const found = db.selectFrom("job").select(["id", "attempt", "outcome"]).where("id", "in", ids);
  const rows = await found.where("owner", "=", owner).where("state", "=", jobStates.ended).execute();
  return new Set(rows.map(({ id, attempt, outcome }) => keyOf({ leaseId: { id, attempt }, end: { outcome } })));
}

/** The same end of the same lease has the same key. */
const keyOf = ({
  leaseId,
  end,
}: {
  readonly leaseId: LeaseId;
  readonly end: { readonly outcome: string | null };
}): string => `${leaseId.attempt} ${leaseId.id} ${end.outcome}`;
