import { createGroupCommit, now, retryTransient, rowsStatement, type Database } from "@crosszone/sql";
import { sql, type CompiledQuery, type RawBuilder } from "kysely";
import type { JobLease } from "../job-lease.ts";
import { insertRow } from "../job-rows.ts";
import { insertColumns } from "../job-texts.ts";
import { createJobStore } from "../create-job-store.ts";
import { jobStates, type JobState, type JobTables } from "../job-tables.ts";
import { createTakeMarks } from "../take-marks.ts";
import type { LaneJob, LaneSchema } from "./lane-job.ts";
import {
  deleteHeld,
  enterText,
  headlessLanes,
  lockLanes,
  parkHeld,
  promoteHeads,
  releaseStatement,
  setHeld,
  type LaneGuard,
} from "./lane-statements.ts";
import type { Entered, LaneStore } from "./lane-store.ts";

export interface LaneStoreOptions<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: Pick<JobLease, "owner">;
  readonly schema: LaneSchema<Own>;
  /** Called with the shares of jobs that have become heads of their lanes. */
  readonly onPromoted?: (shares: ReadonlySet<string>) => void;
  /** Jobs that may not enter; none when absent. */
  readonly guard?: LaneGuard;
}

const patienceMs = 1_000;

/** Most ends in one commit. */
const mostEnds = 100;

const entered: Readonly<Partial<Record<JobState, Entered>>> = {
  [jobStates.ready]: "ready",
  [jobStates.leased]: "leased",
  [jobStates.waiting]: "waiting",
  [jobStates.behind]: "behind",
};

export function createLaneStore<Own extends string>(options: LaneStoreOptions<Own>): LaneStore<Own> {
  const { database, lease, schema, onPromoted, guard = { columns: {}, refused: "false" } } = options;
  const { db, engine, batch } = database;
  // A job that is promoted or released keeps its time, and with it its place before others.
  const marks = createTakeMarks(engine);
  const jobs = createJobStore({ database, lease, schema, marks });
  const releasing = releaseStatement(schema, engine);
  const entering = rowsStatement<string>({
    columns: { ...insertColumns(schema), ...guard.columns },
    text: (rows, of) => enterText(schema, rows, { engine: of, refused: guard.refused }),
  });
  const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });

  const locking = (names: readonly string[]): readonly CompiledQuery[] =>
    engine === "postgres" ? [lockLanes(names).compile(db)] : [];

  /** Runs a change of jobs in lanes that may leave these without a head, in one round trip. */
  async function changing<Row>(lanes: readonly string[], change: RawBuilder<Row>): Promise<readonly Row[]> {
    const statements: readonly CompiledQuery[] = [
      ...locking(lanes),
      change.compile(db),
      promoteHeads(engine, lanes).compile(db),
    ];
    const results = await batch(statements);
    const promoted = results.at(-1)?.rows as readonly { readonly share: string }[];
    const shares = new Set(promoted.map(({ share }) => share));
    if (shares.size > 0) {
      marks.clear();
      onPromoted?.(shares);
    }
    return results.at(-2)?.rows as readonly Row[];
  }

  const ending = createGroupCommit(
    async (ends: readonly LaneJob[]) => {
      const deleted = deleteHeld(engine, lease.owner, ends);
      const rows = await changing(
        ends.map(({ lane }) => lane),
        deleted,
      );
      const ids = new Set(rows.map(({ id }) => id));
      return ends.map(({ id }) => ids.has(id));
    },
    { most: mostEnds },
  );

  /** Whether a job is gone that this process held: while its lease lasts, no other process can have ended it. */
  const wasEndedHere = async (id: string): Promise<boolean> => {
    const isGone = sql<boolean>`not exists (select 1 from job where id = ${id})`;
    const leases = db.selectFrom("job_worker").select("owner").where("owner", "=", lease.owner).where(isGone);
    return (await leases.executeTakeFirst()) !== undefined;
  };

  return {
    owner: jobs.owner,
    waitingShares: jobs.waitingShares,
    take: jobs.take,
    set: jobs.set,
    lost: jobs.lost,
    held: jobs.held,

    add: async (job, { columns, locks = [], after = [] } = {}) => {
      const row = { ...insertRow(schema, job, lease.owner), ...columns };
      const first = locking([job.lane, ...locks]);
      const results = await batch([...first, entering.query(engine, [row]), ...after]);
      const [stored] = (results[first.length]?.rows ?? []) as readonly { readonly state: JobState }[];
      return stored && entered[stored.state];
    },

    setWith: (held, values, after) =>
      reach(async () => {
        const set = values as Readonly<Record<string, string | number | null>>;
        const [changed] = await batch([setHeld(engine, lease.owner, { job: held, set }).compile(db), ...after]);
        return (changed?.rows.length ?? 0) > 0;
      }),

    lookAtFront: marks.clear,

    // An earlier call may have ended it, and its answer was lost.
    end: (job) => reach(async () => (await ending(job)) || wasEndedHere(job.id)),

    release: (held, { counted, afterMs = 0 }) =>
      reach(async () => {
        const how = { owner: lease.owner, after_ms: Math.round(afterMs), counted: Number(counted) };
        const rows = held.map(({ id, attempt }) => ({ id, attempt, ...how }));
        const released = await database.write(releasing, rows);
        marks.clear();
        return released;
      }),

    park: (job, values) =>
      reach(async () => {
        const set = values as Readonly<Record<string, string | number | null>>;
        return (await changing([job.lane], parkHeld(engine, lease.owner, { job, set }))).length > 0;
      }),

    unpark: (id) =>
      reach(async () => {
        const isParked = sql`id = ${id} and state = ${sql.lit(jobStates.parked)}`;
        const { rows } = await sql<{ readonly lane: string }>`select lane from job where ${isParked}`.execute(db);
        const [job] = rows;
        if (job === undefined) return false;
        const back = sql<{ readonly id: string }>`
          update job set state = ${sql.lit(jobStates.behind)}, due_at = ${now(engine)}, ended_at = null,
            ${sql.ref(schema.uncounted)} = attempt
          where ${isParked} returning id`;
        return (await changing([job.lane], back)).length > 0;
      }),

    heal: () =>
      reach(async () => {
        const { rows } = await headlessLanes.execute(db);
        const lanes = rows.map(({ lane }) => lane);
        if (lanes.length === 0) return 0;
        const found = sql<{ readonly lane: string }>`select lane from job where false`;
        await changing(lanes, found);
        return lanes.length;
      }),
  };
}
