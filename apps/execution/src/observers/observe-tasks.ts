import { errorTable } from "@crosszone/contracts";
import { createCounter, createGauge, createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { Telemetry } from "./telemetry.ts";
import { storeOperations, type TaskObserver } from "../tasks/task-observer.ts";
import type { Task } from "../tasks/task.ts";

/** Readings of tasks, available at any time. */
export interface TaskGauges {
  readonly running: () => number;
  readonly oldestOpenMs: () => Promise<number>;
}

/** Turns task events into log lines and metrics. An error of a task is logged once, in `task_failed`. */
export function observeTasks({ logger, metrics: { registry } }: Telemetry): TaskObserver {
  // Tasks exist only for existing agents, which bounds the label.
  const tasks = createRedMetrics(registry, "task", {
    labels: { agent: () => true },
    outcomes: ["success", ...Object.keys(errorTable)],
  });
  const retried = createCounter(registry, "tasks_retried_total");
  const taken = createCounter(registry, "task_leases_lost_total");
  const failures = createCounter(registry, "task_store_failures_total", { operation: storeOperations });
  const idsOf = ({ task_id, correlation_id, agent, traceparent }: Task) => ({
    task_id,
    correlation_id,
    agent,
    ...traceFields(traceparent),
  });

  return {
    started: (task, attempt) => {
      if (attempt > 1) retried.add({});
      logger.info("task_started", { ...idsOf(task), attempt });
    },
    ended: (task, { durationMs, kind, cause }) => {
      tasks.record({ labels: { agent: task.agent }, outcome: kind ?? "success", durationMs });
      const fields = { ...idsOf(task), state: task.state, duration_ms: Math.round(durationMs) };
      if (kind === undefined || kind === "canceled") logger.info("task_ended", fields);
      else logger.error("task_failed", { ...fields, operation: "run_task", kind, code: errorTable[kind].code, cause });
    },
    leaseLost: (task, why) => {
      if (why === "taken_over") taken.add({});
      logger.warn("task_lease_lost", { ...idsOf(task), because: why });
    },
    released: (task) => logger.info("task_released", idsOf(task)),
    endLost: (task, cause) => logger.error("task_lost", { ...idsOf(task), cause }),
    storeFailed: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_store_failed", { operation, cause });
    },
  };
}

/** Updates the task gauges at each scrape. */
export function measureTasks({ registry }: Telemetry["metrics"], { running, oldestOpenMs }: TaskGauges): void {
  createGauge(registry, "tasks_running", () => running());
  createGauge(registry, "task_oldest_open_seconds", async () => (await oldestOpenMs()) / 1_000);
}
