import { createCounter, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import type { LeaseId } from "../table/job.ts";

/** Why a process stops working on a job: its outcome is `canceled`, another process leases or ended it, or this process stops. */
export type DropReason = "canceled" | "taken_over" | "stopping";

/** Receives events of jobs, for logs and metrics. Must not throw. */
export interface JobObserver {
  /** A store operation failed and is retried. */
  readonly storeFailed: (operation: "take" | "renew" | "release", cause: unknown) => void;
  /** This process stopped working on a job. */
  readonly jobDropped?: (kind: string, lease: LeaseId, reason: DropReason) => void;
  /** New or ended jobs were written together, in `durationMs` milliseconds. */
  readonly committed?: (group: { readonly jobs: number; readonly durationMs: number }) => void;
}

/** Returns an observer that measures writes of tasks and of their agent calls. */
export function observeJobs(registry: MetricsRegistry): Required<Pick<JobObserver, "committed">> {
  const duration = createHistogram(registry, "task_commit_duration_seconds");
  const writes = createCounter(registry, "task_writes_total");
  return {
    committed: ({ jobs, durationMs }) => {
      duration.observe({}, durationMs / 1_000);
      writes.add({}, jobs);
    },
  };
}
