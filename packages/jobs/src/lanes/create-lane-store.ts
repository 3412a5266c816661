import { createGroupCommit, now, retryBriefly, rowsStatement, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { JobLease } from "../lease/job-lease.ts";
import { createJobStore } from "../store/create-job-store.ts";
import { createTakeMarks } from "../store/take-jobs.ts";
import { jobStates, type JobState, type JobTables } from "../table/job-tables.ts";
import { insertColumns, insertRow } from "../table/job-texts.ts";
import type { LeaseId } from "../table/job.ts";
import { createLaneChanges, type LaneChanges } from "./lane-heads.ts";
import { deleteLeased, enterText, parkLeased, releaseStatement, setLeased, type LaneGuard } from "./lane-statements.ts";
import type { Entered, LaneJob, LaneSchema, LaneStore } from "./lane-store.ts";

export interface LaneStoreOptions<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: Pick<JobLease, "owner">;
  readonly schema: LaneSchema<Own>;
  /** Called with the shares of jobs that have become heads of their lanes. */
  readonly onPromoted?: (shares: ReadonlySet<string>) => void;
  /** Jobs that may not enter; none when absent. */
  readonly guard?: LaneGuard;
}

/** Maximum number of ends in one commit. */
const mostEnds = 100;

const entered: Readonly<Partial<Record<JobState, Entered>>> = {
  [jobStates.ready]: "ready",
  [jobStates.leased]: "leased",
  [jobStates.waiting]: "waiting",
  [jobStates.behind]: "behind",
};

export function createLaneStore<Own extends string>(options: LaneStoreOptions<Own>): LaneStore<Own> {
  const { database, lease, schema, guard = { columns: {}, refused: "false" } } = options;
  const { db, engine, batch } = database;
  // A job that is promoted or released keeps its time, and with it its place before others.
  const marks = createTakeMarks(engine);
  const jobs = createJobStore({ database, lease, schema, marks });
  const releasing = releaseStatement(schema, engine);
  const entering = rowsStatement<string>({
    columns: { ...insertColumns(schema), ...guard.columns },
    text: (rows, of) => enterText(schema, rows, { engine: of, refused: guard.refused }),
  });
  const changes = createLaneChanges(database, (shares) => {
    marks.clear();
    options.onPromoted?.(shares);
  });
  const end = createEnd(options, changes);

  return {
    owner: jobs.owner,
    waitingShares: jobs.waitingShares,
    take: jobs.take,
    set: jobs.set,
    lost: jobs.lost,
    leases: jobs.leases,

    add: async (job, { columns, locks = [], after = [] } = {}) => {
      const row = { ...insertRow(schema, job, lease.owner), ...columns };
      const first = changes.locking([job.lane, ...locks]);
      const results = await batch([...first, entering.query(engine, [row]), ...after]);
      const [stored] = (results[first.length]?.rows ?? []) as readonly { readonly state: JobState }[];
      return stored && entered[stored.state];
    },

    setWith: (leaseId, values, after) =>
      retryBriefly(async () => {
        const set = values as Readonly<Record<string, string | number | null>>;
        const [changed] = await batch([setLeased(engine, lease.owner, { job: leaseId, set }).compile(db), ...after]);
        return (changed?.rows.length ?? 0) > 0;
      }),

    lookAtFront: marks.clear,

    end,

    release: (released, { counted, afterMs = 0 }) =>
      retryBriefly(async () => {
        const how = { owner: lease.owner, after_ms: Math.round(afterMs), counted: Number(counted) };
        const done = await database.write(
          releasing,
          released.map(({ id, attempt }) => ({ id, attempt, ...how })),
        );
        marks.clear();
        return done;
      }),

    park: (job, values) =>
      retryBriefly(async () => {
        const set = values as Readonly<Record<string, string | number | null>>;
        return (await changes.change([job.lane], parkLeased(engine, lease.owner, { job, set }))).length > 0;
      }),

    unpark: (id) => retryBriefly(() => unpark(options, changes, id)),

    heal: () => retryBriefly(changes.heal),
  };
}

/** Returns a function that ends jobs; concurrent ends share a commit. */
function createEnd(
  { database: { db, engine }, lease }: Pick<LaneStoreOptions<never>, "database" | "lease">,
  { change }: LaneChanges,
): (job: LaneJob) => Promise<boolean> {
  const ending = createGroupCommit(
    async (jobs: readonly LaneJob[]) => {
      const lanes = jobs.map(({ lane }) => lane);
      const rows = await change(lanes, deleteLeased(engine, lease.owner, jobs));
      const ids = new Set(rows.map(({ id }) => id));
      return jobs.map(({ id }) => ids.has(id));
    },
    { most: mostEnds },
  );

  /** Whether a job is gone that this process had leased: while its lease lasts, no other process can have ended it. */
  const wasEndedHere = async ({ id }: LeaseId): Promise<boolean> => {
    const isGone = sql<boolean>`not exists (select 1 from job where id = ${id})`;
    const leases = db.selectFrom("job_worker").select("owner").where("owner", "=", lease.owner).where(isGone);
    return (await leases.executeTakeFirst()) !== undefined;
  };

  // An earlier call may have ended it, and its response was lost.
  return (job) => retryBriefly(async () => (await ending(job)) || wasEndedHere(job));
}

async function unpark(
  { database: { db, engine }, schema }: Pick<LaneStoreOptions<string>, "database" | "schema">,
  { change }: LaneChanges,
  id: string,
): Promise<boolean> {
  const isParked = sql`id = ${id} and state = ${sql.lit(jobStates.parked)}`;
  const { rows } = await sql<{ readonly lane: string }>`select lane from job where ${isParked}`.execute(db);
  const [job] = rows;
  if (job === undefined) return false;
  const back = sql<{ readonly id: string }>`
    update job set state = ${sql.lit(jobStates.behind)}, due_at = ${now(engine)}, ended_at = null,
      ${sql.ref(schema.uncounted)} = attempt
    where ${isParked} returning id`;
  return (await change([job.lane], back)).length > 0;
}
