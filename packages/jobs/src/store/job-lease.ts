import { randomUUID } from "node:crypto";
import { repeat, timerMs } from "@crosszone/service-kit/timing";
import { type Database, now } from "@crosszone/sql";
import { sql } from "kysely";
import { jobStates, type JobTables, type JobWorkerTable } from "../table/job-tables.ts";
import { type ClockJumpsOptions, createClockJumps, mostLease } from "./clock-jumps.ts";

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

interface JobLeaseOptions extends ClockJumpsOptions {
  /** The lease has expired for other processes, or this process gave it up: its jobs are no longer its own. */
  readonly onLost: () => void;
  /**
   * Whether this process gives up its jobs shortly before its lease may expire by its own clock, because it cannot renew it. For work that
   * must never be done by two processes at once (default false: it continues, and other processes may start the same jobs).
   */
  readonly givesUp?: boolean;
  /** Jobs of dead processes are ready to be taken. */
  readonly onReaped: (jobs: number) => void;
  /** Receives failed renewals; each is retried. */
  readonly failed: (operation: "renew" | "release", cause: unknown) => void;
}

/**
 * The lease of this process, which covers all its jobs: one row, however many jobs it has leased. Renews it, and checks for dead processes, three times per lease. A process is dead when two checks, a
 * twelfth of a lease apart, find it expired. After the database was unreachable, every process first has the time of a lease to renew.
 */
export function createJobLease(options: JobLeaseOptions) {
  const { leaseMs, onLost, onReaped, failed, givesUp = false } = options;
  const stopping = new AbortController();
  const reaper = createReaper(options.database);
  let owner: string = randomUUID();
  let keeping: Promise<void> | undefined;
  const row = createLeaseRow(options);
  const settleClock = createClockJumps(options);
  const expiry = createExpiry(leaseMs, givesUp ? lose : undefined);

  async function begin(): Promise<void> {
    const at = performance.now();
    await row.insert(owner);
    expiry.renewed(at);
  }

  /** It is over until the lease of the new owner has started. */
  function lose(): void {
    owner = randomUUID();
    expiry.expire();
    onLost();
  }

  async function renew(): Promise<void> {
    // The process was suspended for longer than its lease.
    if (givesUp && expiry.isOver()) {
      if (expiry.renewedAt() > -Infinity) lose();
      return begin();
    }
    const at = performance.now();
    const asked = owner;
    if ((await row.renew(asked)) && asked === owner) return expiry.renewed(at);
    if (asked === owner) lose();
    await begin();
  }

  async function renewAndReap(): Promise<void> {
    try {
      await settleClock({ asks: true });
      await renew();
      if (expiry.hasFailedLately()) return;
      const reaped = await reaper.look();
      if (reaped > 0) onReaped(reaped);
    } catch (cause) {
      expiry.failed();
      failed("renew", cause);
    }
  }

  return {
    /** Identifies this process in its jobs. Another one after `onLost`. */
    get owner() {
      return owner;
    },
    /** How long it lasts without renewal, milliseconds. */
    leaseMs,
    /** Whether it may have expired by this process's own clock, so that other processes may have its jobs. */
    isOver: expiry.isOver,
    /** Moves the deadlines of open work if the database's clock has jumped. Call it before anything is compared with the time. */
    settleClock,
    /** Begins the lease and renews it. Resolves when it has begun; call it before any job is leased. */
    start: async (): Promise<void> => {
      if (keeping !== undefined) return;
      await settleClock({ asks: true });
      await begin();
      const isSoon = (): boolean => expiry.isUncertain() || reaper.suspects();
      const pauseMs = (): number => (isSoon() ? Math.min(1_000, leaseMs / 12) : leaseMs / 3);
      keeping = repeat(renewAndReap, () => pauseMs() * (0.75 + Math.random() / 4), stopping.signal);
    },
    /** Ends the lease. Jobs still leased are ready for other processes soon. */
    stop: async (): Promise<void> => {
      stopping.abort();
      expiry.stop();
      await keeping;
      await row.remove(owner).catch((cause: unknown) => failed("release", cause));
    },
  };
}

export type JobLease = ReturnType<typeof createJobLease>;

/** Returns the statements for the rows of leases. `renew` resolves with false when the lease has expired. */
function createLeaseRow({ database: { db, engine }, leaseMs }: JobLeaseOptions) {
  const until = () => sql<number>`${now(engine)} + ${Math.round(leaseMs * (1 + Math.random() * (mostLease - 1)))}`;
  return {
    // The row exists when the response to an earlier insert was lost.
    insert: async (owner: string): Promise<void> => {
      await db
        .insertInto("job_worker")
        .values({ owner, alive_until: until() })
        .onConflict((known) => known.column("owner").doUpdateSet({ alive_until: until() }))
        .execute();
    },
    renew: async (owner: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable("job_worker")
        .set({ alive_until: until() })
        .where("owner", "=", owner)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    remove: async (owner: string): Promise<void> => {
      await db.deleteFrom("job_worker").where("owner", "=", owner).execute();
    },
  };
}

/** A lease that is given up ends this much earlier than for others, as a part of its time. */
const margin = 1 / 6;

/** Tells when a lease expires by this process's own clock. `onSoon` is called shortly before it may. */
function createExpiry(leaseMs: number, onSoon: (() => void) | undefined) {
  let renewedAt = -Infinity;
  let failedAt = -Infinity;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    isOver: () => performance.now() - renewedAt >= leaseMs,
    /** By `performance.now()`; -Infinity once expired. */
    renewedAt: () => renewedAt,
    /** `at`: when the renewal was requested, from which it counts. */
    renewed: (at: number): void => {
      renewedAt = at;
      clearTimeout(timer);
      if (onSoon === undefined || isStopped) return;
      timer = setTimeout(onSoon, timerMs(leaseMs * (1 - margin) - (performance.now() - at))).unref();
    },
    failed: () => {
      failedAt = performance.now();
    },
    /** Whether a renewal has failed within the time of a lease. */
    hasFailedLately: () => performance.now() - failedAt < leaseMs,
    /** Whether the last renewal failed. */
    isUncertain: () => failedAt > renewedAt,
    expire: () => {
      renewedAt = -Infinity;
    },
    /** Prevents further calls of `onSoon`. */
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
