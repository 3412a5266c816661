import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { now, type Database } from "@crosszone/sql";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { JobObserver } from "../observer/job-observer.ts";
import type { JobTables } from "../table/job-tables.ts";
import { createReaper } from "./reap-jobs.ts";

/** The lease of a process, which covers all its jobs: one row, however many jobs it has leased. */
export interface JobLease {
  /** Identifies this process in its jobs. Another one after `onLost`. */
  readonly owner: string;
  /** How long it lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Whether it may have expired by this process's own clock, so that other processes may have its jobs. */
  readonly isOver: () => boolean;
  /** Begins the lease and renews it. Resolves when it has begun; call it before any job is leased. */
  readonly start: () => Promise<void>;
  /** Ends the lease. Jobs still leased are ready for other processes soon. */
  readonly stop: () => Promise<void>;
}

export interface JobLeaseOptions {
  readonly database: Pick<Database<JobTables>, "db" | "engine">;
  readonly leaseMs: number;
  /** The lease has expired for other processes, or this process gave it up: its jobs are no longer its own. */
  readonly onLost: () => void;
  /**
   * Whether this process gives up its jobs shortly before its lease may expire by its own clock, because it cannot renew it. For work that
   * must never be done by two processes at once (default false: it goes on, and other processes may begin the same jobs).
   */
  readonly givesUp?: boolean;
  /** Jobs of dead processes are ready to be taken. */
  readonly onReaped: (jobs: number) => void;
  /** Receives failed renewals; each is retried. */
  readonly observer: Pick<JobObserver, "storeFailed">;
}

/** A lease that is given up ends this much earlier than for others, as a part of its time. */
const margin = 1 / 6;

/**
 * Creates the lease of this process. Renews it, and looks for dead processes, three times per lease. A process is dead when two looks, a
 * twelfth of a lease apart, find it expired. After the database was unreachable, every process first has the time of a lease to renew.
 */
export function createJobLease(options: JobLeaseOptions): JobLease {
  const { leaseMs, onLost, onReaped, observer, givesUp = false } = options;
  const { db, engine } = options.database;
  const stopping = new AbortController();
  const reaper = createReaper(options.database);
  let owner: string = randomUUID();
  let renewedAt = -Infinity;
  let failedAt = -Infinity;
  let keeping: Promise<void> | undefined;
  let givingUp: NodeJS.Timeout | undefined;
  const until = sql<number>`${now(engine)} + ${leaseMs}`;

  const isOver = (): boolean => performance.now() - renewedAt >= leaseMs;

  async function begin(): Promise<void> {
    const at = performance.now();
    await insertLease(db, owner, until);
    renewed(at);
  }

  /** A renewal counts from the time of its request. */
  function renewed(at: number): void {
    renewedAt = at;
    clearTimeout(givingUp);
    if (!givesUp || stopping.signal.aborted) return;
    givingUp = setTimeout(lose, leaseMs * (1 - margin) - (performance.now() - at)).unref();
  }

  /** Until the lease of the new owner has begun, it is over. */
  function lose(): void {
    owner = randomUUID();
    renewedAt = -Infinity;
    onLost();
  }

  async function renew(): Promise<void> {
    // The process was suspended for longer than its lease.
    if (givesUp && isOver()) {
      if (renewedAt > -Infinity) lose();
      return begin();
    }
    const at = performance.now();
    const asked = owner;
    const isRenewed = await renewLease(db, asked, until);
    if (isRenewed && asked === owner) return renewed(at);
    if (asked === owner) lose();
    await begin();
  }

  async function renewAndReap(): Promise<void> {
    try {
      await renew();
      if (performance.now() - failedAt < leaseMs) return;
      const reaped = await reaper.look();
      if (reaped > 0) onReaped(reaped);
    } catch (cause) {
      failedAt = performance.now();
      observer.storeFailed("renew", cause);
    }
  }

  return {
    get owner() {
      return owner;
    },
    leaseMs,
    isOver,
    start: async () => {
      if (keeping !== undefined) return;
      await begin();
      const isSoon = (): boolean => failedAt > renewedAt || reaper.suspects();
      keeping = repeat(renewAndReap, () => (isSoon() ? Math.min(1_000, leaseMs / 12) : leaseMs / 3), stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(givingUp);
      await keeping;
      const ended = db.deleteFrom("job_worker").where("owner", "=", owner).execute();
      await ended.catch((cause: unknown) => observer.storeFailed("release", cause));
    },
  };
}

/** Inserts a process's lease. The row exists when the answer to an earlier insert was lost. */
async function insertLease(db: Kysely<JobTables>, owner: string, until: RawBuilder<number>): Promise<void> {
  await db
    .insertInto("job_worker")
    .values({ owner, alive_until: until })
    .onConflict((known) => known.column("owner").doUpdateSet({ alive_until: until }))
    .execute();
}

/** Renews a process's lease. Returns false when it has expired. */
async function renewLease(db: Kysely<JobTables>, owner: string, until: RawBuilder<number>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("job_worker")
    .set({ alive_until: until })
    .where("owner", "=", owner)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Runs `work` after each pause, milliseconds with jitter, until `signal` is aborted. */
async function repeat(work: () => Promise<void>, pauseMs: () => number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ms = pauseMs() * (0.75 + Math.random() / 4);
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) await work();
  }
}
