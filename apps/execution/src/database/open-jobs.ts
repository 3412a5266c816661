import { executionJobs, type ExecutionColumn } from "@crosszone/agent-calls";
import {
  createJobEvents,
  createJobLease,
  createJobWorker,
  type JobEvent,
  type JobEvents,
  type JobKind,
  type JobLease,
  JobStore,
  type JobStoreOptions,
  type JobWorker,
  type JobWorkerDeps,
  type LeaseId,
} from "@crosszone/jobs";
import { createCounter, createHistogram, type Emit, type MetricsRegistry } from "@crosszone/service-kit";
import type { ExecutionDatabase } from "./open-execution-database.ts";

/** A worker of this process, as far as the process's lease concerns it. */
export interface JobMember extends Pick<JobWorker, "wake" | "lose"> {
  /** Jobs of this kind wake it. */
  readonly kind: string;
  /** A job ended or was canceled, maybe in another process. */
  readonly onEnded?: (id: string) => void;
  /** The process's lease could not be renewed; the renewal is retried. */
  readonly onRenewFailed?: (cause: unknown) => void;
}

/** The jobs of this process: one store and one lease for all its workers. */
export interface ZoneJobs {
  readonly store: JobStore<ExecutionColumn>;
  readonly lease: JobLease;
  /** Adds a listener for jobs that ended elsewhere. */
  readonly onEnded: JobEvents["onEnded"];
  /**
   * Runs jobs of a kind in this process: takes them once the returned worker is started, and drops those that end elsewhere. Each failed
   * operation of the store is reported as `job_store_failed` without `failed`.
   */
  readonly workOn: <Job extends LeaseId>(
    kind: JobKind<ExecutionColumn, Job>,
    failed?: JobWorkerDeps<ExecutionColumn, Job>["failed"],
  ) => JobWorker<Job>;
  /** Wakes the worker when it may find jobs, and stops its jobs when this process was declared dead. */
  readonly join: (member: JobMember) => void;
  /** Begins the lease. Call it before any job is stored. */
  readonly start: () => Promise<void>;
  /** Ends the lease. Call it when no worker has a leased job. */
  readonly stop: () => Promise<void>;
}

export interface OpenJobsOptions extends Pick<JobStoreOptions<ExecutionColumn>, "onCommit" | "group"> {
  /** How long a process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Reports attempts at jobs, and failures of the store. */
  readonly emit?: Emit<JobEvent | "job_store_failed">;
}

/** Returns a function that measures commits of tasks and of their agent calls. */
export function measureCommits(registry: MetricsRegistry): NonNullable<OpenJobsOptions["onCommit"]> {
  const duration = createHistogram(registry, "task_commit_duration_seconds");
  const writes = createCounter(registry, "task_writes_total");
  return ({ jobs, durationMs }) => {
    duration.observe({}, durationMs / 1_000);
    writes.add({}, jobs);
  };
}

export function openJobs(database: ExecutionDatabase, { leaseMs, emit, ...writes }: OpenJobsOptions): ZoneJobs {
  const members: JobMember[] = [];
  const each = (notify: (member: JobMember) => void) => (): void => members.forEach(notify);
  const lease = createJobLease({
    database,
    leaseMs,
    onLost: each((member) => member.lose()),
    onReaped: each((member) => member.wake()),
    failed: (_operation, cause) => each((member) => member.onRenewFailed?.(cause))(),
  });
  const store = new JobStore({ database, lease, schema: executionJobs, ...writes });
  const join = (member: JobMember): void => void members.push(member);
  const events = createJobEvents(database);
  events.onReady((share) => {
    const isOf = ({ kind }: JobMember): boolean => share === undefined || share.split(" ", 1)[0] === kind;
    for (const member of members) if (isOf(member)) member.wake(share);
  });
  events.onEnded((id) => {
    if (id !== undefined) each((member) => member.onEnded?.(id))();
  });
  return {
    store,
    lease,
    onEnded: events.onEnded,
    join,
    workOn: (
      kind,
      failed = (operation, cause) => emit?.("job_store_failed", { kind_of_job: kind.kind, operation, cause }),
    ) => {
      const worker = createJobWorker({ store, lease, kind, emit, failed });
      join({
        ...worker,
        kind: kind.kind,
        onEnded: (id) => void (worker.has(id) && worker.check()),
        onRenewFailed: (cause) => failed("renew", cause),
      });
      return worker;
    },
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
