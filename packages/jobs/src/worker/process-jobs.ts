import { retryBriefly } from "@crosszone/sql";
import type { Emit } from "@crosszone/service-kit";
import type { ClockJumpsOptions } from "../store/clock-jumps.ts";
import type { JobStoreOptions } from "../store/grouped-writes.ts";
import { createJobLease } from "../store/job-lease.ts";
import { JobStore } from "../store/job-store.ts";
import { createJobEvents } from "../table/job-events.ts";
import type { LeaseId } from "../table/job-tables.ts";
import type { Arrival } from "./arrivals.ts";
import type { JobEvent, JobKind, JobRoom } from "./job-kind.ts";
import { createJobWorker, type JobWorker, type JobWorkerDeps } from "./job-worker.ts";

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

/** Makes the jobs of a process. It wakes a worker when its kind may have jobs, and stops all work when the process is declared dead. */
export function openProcessJobs<Own extends string>(options: ProcessJobsOptions<Own>) {
  const { leaseMs, emit, moving, givesUp, ...storing } = options;
  const { database } = storing;
  const members: {
    readonly kind: string;
    readonly prepare: JobRoom["prepare"];
    /** Each worker gets jobs of its own kind only. */
    readonly worker: JobWorker<never>;
    readonly failed: (operation: "renew", cause: unknown) => void;
  }[] = [];
  const failedEach = (cause: unknown): void => members.forEach(({ failed }) => failed("renew", cause));
  const wakeAll = (): void => members.forEach(({ worker }) => worker.wake());
  const wakeShare = (share: string): void => {
    const [of] = share.split(" ", 1);
    for (const { kind, worker } of members) if (of === kind) worker.wake(share);
  };
  const lease = createJobLease({
    database,
    leaseMs,
    moving,
    givesUp,
    onJump: (ms) => emit?.("clock_jumped", { ms }),
    onLost: () => members.forEach(({ worker }) => worker.lose()),
    onReaped: wakeAll,
    failed: (_operation, cause) => failedEach(cause),
  });
  const store = new JobStore({ ...storing, lease, onPromoted: (shares) => shares.forEach(wakeShare) });
  const events = createJobEvents(database);
  let healing: NodeJS.Timeout | undefined;
  const heal = (): Promise<void> =>
    store.lanes.heal().then((healed) => {
      if (healed > 0) wakeAll();
    }, failedEach);
  const lookFor = (...kinds: readonly string[]): void => {
    for (const { kind, worker } of members) if (kinds.includes(kind)) worker.wake();
  };
  events.onReady((share, atFront) => {
    if (atFront) store.lanes.lookAtFront();
    if (share === undefined) wakeAll();
    else wakeShare(share);
  });
  events.onEnded((id) => {
    for (const { worker } of members) if (id !== undefined && worker.has(id)) void worker.check();
  });
  return {
    store,
    lease,
    /** Adds a listener for jobs that ended elsewhere. */
    onEnded: events.onEnded,
    /**
     * Runs jobs of a kind in this process: takes them once the returned worker is started, and drops those that end elsewhere. `failed`
     * receives failed operations of the store, in place of the event `job_store_failed`.
     */
    workOn: <Job extends LeaseId>(
      kind: JobKind<Own, Job>,
      failed: JobWorkerDeps<Own, Job>["failed"] = (operation, cause) =>
        emit?.("job_store_failed", { kind_of_job: kind.kind, operation, cause }),
      how: Pick<JobWorkerDeps<Own, Job>, "emit" | "worked" | "idleMs"> = {},
    ): JobWorker<Job> => {
      const worker = createJobWorker({ store, lease, kind, emit, failed, ...how });
      members.push({ kind: kind.kind, prepare: kind.prepare, worker, failed });
      return worker;
    },
    /**
     * Adds a job that `store` stores, as `JobWorker.add` does. It waits when this process runs no jobs of the kind. `jobOf` returns the stored
     * job as its kind reads it.
     */
    add: <Result>(
      of: string,
      store: (as: Arrival["as"]) => Promise<Result>,
      jobOf: (result: Result, as: Arrival["as"]) => LeaseId | undefined,
    ): Promise<Result> => {
      const member = members.find(({ kind }) => kind === of);
      return member === undefined ? store("ready") : member.worker.add(of, store, jobOf as () => never);
    },
    /**
     * Lets a job that another part stores arrive here, as `JobWorker.enter` does. It waits when this process runs no jobs of the kind. `jobOf`
     * returns the stored job as its kind reads it.
     */
    enter: async (of: string, share: string, jobOf: () => LeaseId): Promise<Arrival> => {
      const member = members.find(({ kind }) => kind === of);
      if (member === undefined) return { as: "ready", settle: () => undefined };
      await member.prepare?.([share]);
      return member.worker.enter(share, jobOf as () => never);
    },
    /** Stops the work on a job that ended elsewhere, if it runs here. */
    cancel: (of: string, id: string): void => {
      members.find(({ kind }) => kind === of)?.worker.cancel(id);
    },
    /** Runs `JobQueries.wake`, and lets this process's workers of these kinds look for jobs. */
    wake: async (ids: readonly string[], ...kinds: readonly string[]): Promise<void> => {
      if (ids.length > 0) await retryBriefly(() => store.queries.wake(ids).execute(database.db));
      lookFor(...kinds);
    },
    /** Lets this process's workers of these kinds look for jobs now. */
    lookFor,
    /** Returns how many jobs of each kind run here. */
    running: (): ReadonlyMap<string, number> => new Map(members.map(({ kind, worker }) => [kind, worker.running()])),
    /** Whether a job of a kind runs here. */
    has: (of: string, id: string): boolean => members.find(({ kind }) => kind === of)?.worker.has(id) === true,
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
