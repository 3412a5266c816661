import { createGauge, type MetricsRegistry } from "@crosszone/service-kit";
import type { RunningTasks } from "../tasks/running-tasks.ts";

/** Shows how much this process does now. */
export function observeLoad(registry: MetricsRegistry, running: RunningTasks): void {
  createGauge(registry, {
    name: "questions_in_work",
    help: "Questions that are being answered now",
    labels: {},
    read: () => [{ labels: {}, value: running.size }],
  });
}
