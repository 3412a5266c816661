import { createCounter, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import type { JobObserver } from "./job-observer.ts";

/** Returns an observer that measures writes of tasks and of their agent calls. */
export function observeJobs(registry: MetricsRegistry): Required<Pick<JobObserver, "committed">> {
  const duration = createHistogram(registry, {
    name: "task_commit_duration_seconds",
    help: "Time to write a group of tasks and agent calls to the database, in seconds",
    labels: {},
  });
  const writes = createCounter(registry, {
    name: "task_writes_total",
    help: "Tasks and agent calls stored or ended in all these groups, including repeated ones",
    labels: {},
  });
  return {
    committed: ({ jobs, durationMs }) => {
      duration.observe({}, durationMs / 1_000);
      writes.add({}, jobs);
    },
  };
}
