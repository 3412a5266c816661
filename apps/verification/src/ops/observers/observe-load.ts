import { createGauge, type MetricsRegistry } from "@crosszone/service-kit";
import type { RunningTasks } from "../../answering/tasks/running-tasks.ts";

/** Registers a gauge of the questions that this process is answering. */
export function observeLoad(registry: MetricsRegistry, running: RunningTasks): void {
  createGauge(registry, {
    name: "questions_in_work",
    help: "Questions being answered now",
    labels: {},
    read: () => [{ labels: {}, value: running.size }],
  });
}
