import { executionJobs, type ExecutionColumn } from "@crosszone/agent-calls";
import { openProcessJobs, type ProcessJobs, type ProcessJobsOptions } from "@crosszone/jobs";
import { createCounter, createGauge, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import type { ExecutionDatabase } from "./open-execution-database.ts";

/** The jobs of this process: one store and one lease for all its workers. */
export type ZoneJobs = ProcessJobs<ExecutionColumn>;

export type OpenJobsOptions = Omit<ProcessJobsOptions<ExecutionColumn>, "database" | "schema">;

/** Returns a function that measures commits of tasks and of their agent calls. */
export function measureCommits(registry: MetricsRegistry): NonNullable<OpenJobsOptions["onCommit"]> {
  const duration = createHistogram(registry, "task_commit_duration_seconds");
  const writes = createCounter(registry, "task_writes_total");
  return ({ jobs, durationMs }) => {
    duration.observe({}, durationMs / 1_000);
    writes.add({}, jobs);
  };
}

/** Updates the gauge of running jobs at each scrape. */
export function measureRunning(registry: MetricsRegistry, { running }: Pick<ZoneJobs, "running">): void {
  createGauge(registry, "jobs_running", {
    labels: { kind: () => true },
    read: () => [...running()].map(([kind, value]) => ({ labels: { kind }, value })),
  });
}

export const openJobs = (database: ExecutionDatabase, options: OpenJobsOptions): ZoneJobs =>
  openProcessJobs({ database, schema: executionJobs, ...options });
