import type { RunState, StepState } from "@crosszone/contracts";
import { createCounter, createEmit, createGauge, createRedMetrics, type Emit } from "@crosszone/service-kit";
import { executionEvents, type ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import { loggedFields, type Telemetry } from "./telemetry.ts";
import { readTogether } from "./observe-bridge.ts";

const runEnds = ["succeeded", "failed", "canceled", "timed_out"] as const satisfies readonly RunState[];
const stepEnds = ["succeeded", "failed", "canceled"] as const satisfies readonly StepState[];
const trouble = ["broken", "unreadable", "timer", "results"];

interface OfRun {
  readonly workflow_id: string;
}

interface Ended extends OfRun {
  readonly state: string;
  /** Milliseconds. */
  readonly duration_ms: number;
}

/** Makes the function that logs and measures the events of runs. Neither contains text of people or agents. */
export function createRunEmit({ logger, metrics: { registry } }: Telemetry): Emit<ExecutionEvent> {
  // Runs exist only for existing workflows, which bounds the label.
  const labels = { workflow: () => true };
  const started = createCounter(registry, "workflow_runs_started_total", labels);
  const reopened = createCounter(registry, "workflow_runs_reopened_total", labels);
  const runs = createRedMetrics(registry, "workflow_run", { labels, outcomes: runEnds });
  const steps = createRedMetrics(registry, "workflow_step", { labels, outcomes: stepEnds });
  const failures = createCounter(registry, "workflow_failures_total", { kind: trouble });
  const failed = (kind: string) => (): void => failures.add({ kind });
  const ended = ({ workflow_id, state, duration_ms: durationMs }: Ended) => ({
    labels: { workflow: workflow_id },
    outcome: state,
    durationMs,
  });
  return createEmit({
    logger,
    events: executionEvents,
    logged: loggedFields,
    measure: {
      run_started: ({ workflow_id }: OfRun) => started.add({ workflow: workflow_id }),
      run_reopened: ({ workflow_id }: OfRun) => reopened.add({ workflow: workflow_id }),
      run_ended: (end: Ended) => runs.record(ended(end)),
      step_ended: (end: Ended) => steps.record(ended(end)),
      run_broken: failed("broken"),
      run_unreadable: failed("unreadable"),
      run_result_unreadable: failed("unreadable"),
      run_results_failed: failed("results"),
      run_timer_failed: failed("timer"),
    },
  });
}

/** Updates the run gauges at each scrape, for all processes that share the database. */
export function measureWorkflows({ registry }: Telemetry["metrics"], { readings }: Pick<Workflows, "readings">): void {
  const read = readTogether(readings);
  createGauge(registry, "workflow_runs_open", async () => (await read()).open);
  createGauge(registry, "workflow_run_oldest_due_seconds", async () => (await read()).oldestDueMs / 1_000);
}
