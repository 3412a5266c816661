import { retryBriefly } from "@crosszone/sql";
import type { Emit } from "@crosszone/service-kit";
import type { ClockJumpsOptions } from "../store/clock-jumps.ts";
import type { JobStoreOptions } from "../store/grouped-writes.ts";
import { createJobLease } from "../store/job-lease.ts";
import { JobStore } from "../store/job-store.ts";
import { createJobEvents } from "../table/job-events.ts";
import type { LeaseId } from "../table/job-tables.ts";
import { createChildren } from "./end-watch.ts";
import type { JobEvent, JobKind, JobRoom } from "./job-kind.ts";
import { type Arrival, createJobWorker, type JobWorker, type JobWorkerDeps } from "./job-worker.ts";

/** The jobs of a process: one store, one lease and one list of workers, a worker for each kind. */
export type ProcessJobs<Own extends string> = ReturnType<typeof openProcessJobs<Own>>;

export interface ProcessJobsOptions<Own extends string> extends Omit<JobStoreOptions<Own>, "lease" | "onPromoted"> {
  readonly moving?: ClockJumpsOptions["moving"];
  /** See `createJobLease`. */
  readonly givesUp?: boolean;
  /** How long a process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Reports attempts at jobs, failures of the store, and jumps of the clock. */
  readonly emit?: Emit<JobEvent | "job_store_failed" | "clock_jumped">;
}

interface Member {
  readonly prepare: JobRoom["prepare"];
  /** Each worker gets jobs of its own kind only. */
  readonly worker: JobWorker<never>;
  readonly failed: (operation: "renew", cause: unknown) => void;
}

/** The workers of a process, by the kind of their jobs. */
class Members extends Map<string, Member> {
  /** Lets workers look for jobs: that of a share, of kinds, or all. */
  readonly wake = (): void => this.forEach(({ worker }) => worker.wake());
  readonly wakeShare = (share: string): void => this.get(share.split(" ", 1)[0] as string)?.worker.wake(share);
  readonly lookFor = (...kinds: readonly string[]): void => kinds.forEach((kind) => this.get(kind)?.worker.wake());
  readonly failed = (cause: unknown): void => this.forEach(({ failed }) => failed("renew", cause));
  readonly lose = (): void => this.forEach(({ worker }) => worker.lose());

  /** Checks a job that ended elsewhere, if it runs here. */
  check(id: string): void {
    for (const { worker } of this.values()) if (worker.has(id)) void worker.check();
  }
}

/** Makes the jobs of a process. It wakes a worker when its kind may have jobs, and stops all work when the process is declared dead. */
export function openProcessJobs<Own extends string>(options: ProcessJobsOptions<Own>) {
  const { leaseMs, emit, moving, givesUp, ...storing } = options;
  const { database } = storing;
  const members = new Members();
  const storeFailed = (kind_of_job: string, operation: string, cause: unknown): void =>
    emit?.("job_store_failed", { kind_of_job, operation, cause });
  const lease = createJobLease({
    database,
    leaseMs,
    moving,
    givesUp,
    onJump: (ms) => emit?.("clock_jumped", { ms }),
    onLost: members.lose,
    onReaped: members.wake,
    failed: (_operation, cause) => members.failed(cause),
  });
  const store = new JobStore({ ...storing, lease, onPromoted: (shares) => shares.forEach(members.wakeShare) });
  const events = createJobEvents(database);
  const { readSoon, ...children } = createChildren(store, database, storeFailed);
  events.onReady((share, atFront) => {
    if (atFront) store.lanes.lookAtFront();
    if (share === undefined) members.wake();
    else members.wakeShare(share);
  });
  events.onEnded((id) => {
    readSoon();
    if (id !== undefined) members.check(id);
  });
  let healing: NodeJS.Timeout | undefined;
  const heal = (): Promise<unknown> =>
    store.lanes.heal().then((healed) => healed > 0 && members.wake(), members.failed);

  return {
    store,
    lease,
    ...children,
    ...arrivalsAt(members),
    /**
     * Runs jobs of a kind in this process: takes them once the returned worker is started, and drops those that end elsewhere. `failed`
     * receives failed operations of the store, in place of the event `job_store_failed`.
     */
    workOn: <Job extends LeaseId>(
      kind: JobKind<Own, Job>,
      failed: JobWorkerDeps<Own, Job>["failed"] = (operation, cause) => storeFailed(kind.kind, operation, cause),
      how: Pick<JobWorkerDeps<Own, Job>, "emit" | "worked" | "idleMs"> = {},
    ): JobWorker<Job> => {
      const worker = createJobWorker({ store, lease, kind, emit, failed, ...how });
      members.set(kind.kind, { prepare: kind.prepare, worker, failed });
      return worker;
    },
    /** Stops the work on a job that ended elsewhere, if it runs here. */
    cancel: (of: string, id: string): void => void members.get(of)?.worker.cancel(id),
    /** Runs `JobQueries.wake`, and lets this process's workers of these kinds look for jobs. */
    wake: async (ids: readonly string[], ...kinds: readonly string[]): Promise<void> => {
      if (ids.length > 0) await retryBriefly(() => store.queries.wake(ids).execute(database.db));
      members.lookFor(...kinds);
    },
    /** Lets this process's workers of these kinds look for jobs now. */
    lookFor: members.lookFor,
    /** Returns how many jobs of each kind run here. */
    running: (): ReadonlyMap<string, number> =>
      new Map(members.entries().map(([kind, { worker }]) => [kind, worker.running()])),
    /** Whether a job of a kind runs here. */
    has: (of: string, id: string): boolean => members.get(of)?.worker.has(id) === true,
    /** Begins the lease. Call it before any job is stored. Safe to repeat after an error. */
    start: async (): Promise<void> => {
      await lease.start();
      await events.start();
      healing ??= setInterval(() => void heal(), leaseMs).unref();
    },
    /** Ends the lease. Call it when no worker has a leased job. */
    stop: async (): Promise<void> => {
      clearInterval(healing);
      await events.stop();
      await lease.stop();
    },
  };
}

/** Lets jobs arrive in a process. Those of a kind that it does not run wait for another. */
function arrivalsAt(members: Members) {
  return {
    /** Adds a job that `store` stores, as `JobWorker.add` does. `jobOf` returns the stored job as its kind reads it. */
    add: <Result>(
      of: string,
      store: (as: Arrival["as"]) => Promise<Result>,
      jobOf: (result: Result, as: Arrival["as"]) => LeaseId | undefined,
    ): Promise<Result> => members.get(of)?.worker.add(of, store, jobOf as () => never) ?? store("ready"),
    /** Lets a job that another part stores arrive, as `JobWorker.enter` does. `jobOf` returns the stored job as its kind reads it. */
    enter: async (of: string, share: string, jobOf: () => LeaseId): Promise<Arrival> => {
      const member = members.get(of);
      if (member === undefined) return { as: "ready", settle: () => undefined };
      await member.prepare?.([share]);
      return member.worker.enter(share, jobOf as () => never);
    },
  };
}
