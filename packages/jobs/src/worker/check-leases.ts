import { setTimeout as delay } from "node:timers/promises";
import type { JobLease } from "../lease/job-lease.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeaseId } from "../table/job.ts";
import type { JobKind } from "./job-kind.ts";
import type { RunningJobs } from "./running-jobs.ts";

export interface CheckLeasesDeps<Own extends string, Job extends LeaseId> {
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  /** The kind whose shares are looked at. */
  readonly kind: JobKind<Own, Job>;
  readonly running: RunningJobs<Job>;
  readonly failed: (operation: "renew", cause: unknown) => void;
  /** Called when stray jobs were released. */
  readonly onReleased: () => void;
}

export interface LeaseChecks {
  /** Drops the jobs that were canceled or taken over. Never rejects. */
  readonly check: () => Promise<void>;
  /** Checks jobs and releases strays until `signal` is aborted. */
  readonly keepChecking: (signal: AbortSignal) => Promise<void>;
}

/** How often to check for jobs that ended or were taken elsewhere, milliseconds; callers are promised half a second. */
const checkMs = 400;

/** Shortest time between two checks for strays, milliseconds: a job that was just leased starts within it. */
const leastMs = 1_000;

/** Compares the jobs that run here with the leases of this process in the store. */
export function createLeaseChecks<Own extends string, Job extends LeaseId>(
  deps: CheckLeasesDeps<Own, Job>,
): LeaseChecks {
  const { store, lease, running, failed, onReleased } = deps;
  const findStrays = strayJobs(deps);

  async function check(): Promise<void> {
    // The end of an ending job is being stored, and the store itself checks the lease.
    const working = [...running.runs.values()].filter(({ isEnding }) => !isEnding);
    if (working.length === 0) return;
    try {
      for (const { id, attempt, outcome } of await store.lost(working)) {
        const run = running.runs.get(id);
        if (run?.attempt === attempt) running.drop(run, outcome === "canceled" ? "canceled" : "taken_over");
      }
    } catch (cause) {
      failed("renew", cause);
    }
  }

  async function releaseStrays(): Promise<void> {
    try {
      const strays = await findStrays();
      await running.release(strays);
      if (strays.length > 0) onReleased();
    } catch (cause) {
      failed("renew", cause);
    }
  }

  return {
    check,
    keepChecking: async (signal) => {
      while (!signal.aborted) {
        await delay(Math.min(checkMs, lease.leaseMs / 3), undefined, { signal, ref: false }).catch(() => undefined);
        await check();
        await releaseStrays();
      }
    },
  };
}

/**
 * Returns a function that finds jobs leased to this process without a run: they were stored or taken, and the response
 * was lost with the connection. It checks three times per lease, and returns the jobs that it finds twice in a row.
 */
function strayJobs<Own extends string, Job extends LeaseId>({
  store,
  kind,
  lease,
  running,
}: CheckLeasesDeps<Own, Job>): () => Promise<readonly LeaseId[]> {
  const everyMs = Math.max(leastMs, lease.leaseMs / 3);
  let suspects = new Map<string, number>();
  let nextAt = performance.now() + everyMs;
  return async () => {
    if (performance.now() < nextAt) return [];
    nextAt = performance.now() + everyMs;
    const withoutRun = (await store.leases(kind.kind)).filter(({ id }) => !running.runs.has(id));
    const strays = withoutRun.filter(({ id, attempt }) => suspects.get(id) === attempt);
    suspects = new Map(withoutRun.map(({ id, attempt }) => [id, attempt]));
    return strays;
  };
}
