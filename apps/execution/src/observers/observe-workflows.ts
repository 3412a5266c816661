import type { RunState, StepState } from "@crosszone/contracts";
import { createCounter, createGauge, createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { RunIds, WorkflowObserver, Workflows } from "@crosszone/workflow";
import type { Telemetry } from "./telemetry.ts";
import { readTogether } from "./observe-bridge.ts";

const runEnds = ["succeeded", "failed", "canceled", "timed_out"] as const satisfies readonly RunState[];
const stepEnds = ["succeeded", "failed", "canceled"] as const satisfies readonly StepState[];
const trouble = ["broken", "unreadable", "timer", "results"] as const;

/** Runs exist only for existing workflows, which bounds the label. */
const labels = { workflow: () => true };

/** Turns events of runs into log lines and metrics. Neither contains text of people or agents. */
export function observeWorkflows({ logger, metrics: { registry } }: Telemetry): WorkflowObserver {
  const { started, reopened, runs, steps, failures } = createMetrics(registry);
  const ends: readonly string[] = stepEnds;

  return {
    runStarted: (run) => {
      started.add({ workflow: run.workflow_id });
      logger.info("run_started", fieldsOf(run));
    },
    runReopened: (run) => {
      reopened.add({ workflow: run.workflow_id });
      logger.info("run_reopened", fieldsOf(run));
    },
    runEnded: (run, { state, durationMs }) => {
      runs.record({ labels: { workflow: run.workflow_id }, outcome: state, durationMs });
      const isGood = state === "succeeded" || state === "canceled";
      logger[isGood ? "info" : "warn"]("run_ended", { ...fieldsOf(run), state, duration_ms: Math.round(durationMs) });
    },
    stepChanged: (run, { path, attempt, state, durationMs }) => {
      const fields = { ...fieldsOf(run), path, attempt, state };
      if (!ends.includes(state)) return logger.debug("step_started", fields);
      // A step that never started took no time.
      steps.record({ labels: { workflow: run.workflow_id }, outcome: state, durationMs: durationMs ?? 0 });
      logger.debug("step_ended", { ...fields, duration_ms: Math.round(durationMs ?? 0) });
    },
    runBroken: (run, cause) => {
      failures.add({ kind: "broken" });
      logger.error("run_broken", { ...fieldsOf(run), cause });
    },
    runUnreadable: (run_id, cause) => {
      failures.add({ kind: "unreadable" });
      logger.error("run_unreadable", { run_id, cause });
    },
    resultUnreadable: (call_id, cause) => {
      failures.add({ kind: "unreadable" });
      logger.error("run_result_unreadable", { call_id, cause });
    },
    storeFailed: (operation, cause) => {
      failures.add({ kind: "results" });
      logger.warn("run_results_failed", { operation, cause });
    },
    timerFailed: (cause, run_id) => {
      failures.add({ kind: "timer" });
      logger.warn("run_timer_failed", { ...(run_id !== undefined && { run_id }), cause });
    },
  };
}

function createMetrics(registry: Telemetry["metrics"]["registry"]) {
  const started = createCounter(registry, "workflow_runs_started_total", labels);
  const reopened = createCounter(registry, "workflow_runs_reopened_total", labels);
  const runs = createRedMetrics(registry, "workflow_run", { labels, outcomes: runEnds });
  const steps = createRedMetrics(registry, "workflow_step", { labels, outcomes: stepEnds });
  const failures = createCounter(registry, "workflow_failures_total", { kind: trouble });
  return { started, reopened, runs, steps, failures };
}

const fieldsOf = ({ traceparent, ...ids }: RunIds) => ({ ...ids, ...traceFields(traceparent) });

/** Updates the run gauges at each scrape, for all processes that share the database. */
export function measureWorkflows({ registry }: Telemetry["metrics"], { readings }: Pick<Workflows, "readings">): void {
  const read = readTogether(readings);
  createGauge(registry, "workflow_runs_open", async () => (await read()).open);
  createGauge(registry, "workflow_run_oldest_due_seconds", async () => (await read()).oldestDueMs / 1_000);
}
