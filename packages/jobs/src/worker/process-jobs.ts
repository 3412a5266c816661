import type { Emit } from "@crosszone/service-kit";
import { retryBriefly } from "@crosszone/sql";
import type { ClockJumpsOptions } from "../lease/clock-jumps.ts";
import { createJobLease, type JobLease } from "../lease/job-lease.ts";
import { JobStore, type JobStoreOptions } from "../store/job-store.ts";
import { createJobEvents, type JobEvents } from "../table/job-events.ts";
import type { LeaseId } from "../table/job.ts";
import type { JobEvent, JobKind } from "./job-kind.ts";
import { createJobWorker, type JobWorker, type JobWorkerDeps } from "./job-worker.ts";

/** The jobs of a process: one store, one lease and one list of workers, a worker for each kind. */
export interface ProcessJobs<Own extends string> {
  readonly store: JobStore<Own>;
  readonly lease: JobLease;
  /** Adds a listener for jobs that ended elsewhere. */
  readonly onEnded: JobEvents["onEnded"];
  /**
   * Runs jobs of a kind in this process: takes them once the returned worker is started, and drops those that end elsewhere. `failed`
   * receives failed operations of the store, in place of the event `job_store_failed`.
   */
  readonly workOn: <Job extends LeaseId>(
    kind: JobKind<Own, Job>,
    failed?: JobWorkerDeps<Own, Job>["failed"],
  ) => JobWorker<Job>;
  /** Runs `JobQueries.wake`, and lets this process's workers of these kinds look for jobs. */
  readonly wake: (ids: readonly string[], ...kinds: readonly string[]) => Promise<void>;
  /** Lets this process's workers of these kinds look for jobs now. */
  readonly lookFor: (...kinds: readonly string[]) => void;
  /** Returns how many jobs of each kind run here. */
  readonly running: () => ReadonlyMap<string, number>;
  /** Begins the lease. Call it before any job is stored. */
  readonly start: () => Promise<void>;
  /** Ends the lease. Call it when no worker has a leased job. */
  readonly stop: () => Promise<void>;
}

export interface ProcessJobsOptions<Own extends string>
  extends Omit<JobStoreOptions<Own>, "lease">, Pick<ClockJumpsOptions, "moving"> {
  /** How long a process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Reports attempts at jobs, failures of the store, and jumps of the clock. */
  readonly emit?: Emit<JobEvent | "job_store_failed" | "clock_jumped">;
}

/** A worker, and who receives its failures. */
interface Member {
  readonly kind: string;
  readonly worker: Pick<JobWorker, "wake" | "lose" | "has" | "check" | "running">;
  readonly failed: (operation: "renew", cause: unknown) => void;
}

/** Makes the jobs of a process. It wakes a worker when its kind may have jobs, and stops all work when the process is declared dead. */
export function openProcessJobs<Own extends string>(options: ProcessJobsOptions<Own>): ProcessJobs<Own> {
  const { leaseMs, emit, moving, ...storing } = options;
  const { database } = storing;
  const members: Member[] = [];
  const lease = createJobLease({
    database,
    leaseMs,
    moving,
    onJump: (ms) => emit?.("clock_jumped", { ms }),
    onLost: () => members.forEach(({ worker }) => worker.lose()),
    onReaped: () => members.forEach(({ worker }) => worker.wake()),
    failed: (_operation, cause) => members.forEach(({ failed }) => failed("renew", cause)),
  });
  const store = new JobStore({ ...storing, lease });
  const events = createJobEvents(database);
  const lookFor = (...kinds: readonly string[]): void => {
    for (const { kind, worker } of members) if (kinds.includes(kind)) worker.wake();
  };
  events.onReady((share) => {
    const of = share?.split(" ", 1)[0];
    for (const { kind, worker } of members) if (of === undefined || of === kind) worker.wake(share);
  });
  events.onEnded((id) => {
    for (const { worker } of members) if (id !== undefined && worker.has(id)) void worker.check();
  });
  return {
    store,
    lease,
    onEnded: events.onEnded,
    workOn: (
      kind,
      failed = (operation, cause) => emit?.("job_store_failed", { kind_of_job: kind.kind, operation, cause }),
    ) => {
      const worker = createJobWorker({ store, lease, kind, emit, failed });
      members.push({ kind: kind.kind, worker, failed });
      return worker;
    },
    wake: async (ids, ...kinds) => {
      if (ids.length > 0) await retryBriefly(() => store.queries.wake(ids).execute(database.db));
      lookFor(...kinds);
    },
    lookFor,
    running: () => new Map(members.map(({ kind, worker }) => [kind, worker.running()])),
    start: async () => {
      await lease.start();
      await events.start();
    },
    stop: async () => {
      await events.stop();
      await lease.stop();
    },
  };
}
