import { createCounter, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import type { JobObserver } from "./job-observer.ts";

/** Returns an observer that measures writes of tasks and of their agent calls. */
export function observeJobs(registry: MetricsRegistry): Required<Pick<JobObserver, "committed">> {
  const duration = createHistogram(registry, {
    name: "task_commit_duration_seconds",
    labels: {},
  });
  const writes = createCounter(registry, {
    name: "task_writes_total",
    labels: {},
  });
  return {
    committed: ({ jobs, durationMs }) => {
      duration.observe({}, durationMs / 1_000);
      writes.add({}, jobs);
    },
  };
}
