import type { CallRecord } from "@crosszone/assistant";
import { type ErrorKind, errorTable, type RunState, type StepState, zoneMethods } from "@crosszone/contracts";
import {
  badRequestStatuses,
  createCounter,
  createEmit,
  createRedMetrics,
  type Emit,
  type MetricsRegistry,
} from "@crosszone/service-kit";
import { executionEvents, type ExecutionEvent } from "@crosszone/telemetry";
import { callOperations } from "../agents/calls/task-calls.ts";
import { runOperations } from "../agents/workflows/task-runs.ts";
import { budgetScopes } from "../usage/budget.ts";
import { refusalReasons } from "../http/refuse.ts";
import { loggedFields, type Telemetry } from "./telemetry.ts";

const runEnds = ["succeeded", "failed", "canceled", "timed_out"] as const satisfies readonly RunState[];
const stepEnds = ["succeeded", "failed", "canceled"] as const satisfies readonly StepState[];
/** Operations on stored tasks that can fail while the database is unreachable. */
const storeOperations = ["end", "renew", "take", "release", "cancel"];
const trouble = ["broken", "unreadable", "timer", "results"];

interface Operation {
  readonly operation: string;
}

interface Timed {
  readonly kind?: ErrorKind;
  /** Milliseconds. */
  readonly duration_ms: number;
}

interface EndedTask extends Timed {
  readonly agent: string;
}

interface EndedMessage extends Timed, Operation {}

interface OfRun {
  readonly workflow_id: string;
}

interface Ended extends OfRun {
  readonly state: string;
  /** Milliseconds. */
  readonly duration_ms: number;
}

/** Returns what measures JSON-RPC messages. */
function measureMessages(registry: MetricsRegistry) {
  const rpc = createRedMetrics(registry, "rpc", {
    labels: { method: Object.keys(zoneMethods) },
    outcomes: ["success", ...Object.keys(errorTable)],
  });
  const answered = ({ operation, kind, duration_ms: durationMs }: EndedMessage): void => {
    const method = operation === "unknown" ? "other" : operation;
    rpc.record({ labels: { method }, outcome: kind ?? "success", durationMs });
  };
  return { rpc_answered: answered, rpc_failed: answered };
}

/**
 * Returns what measures the use of language models. Calls of a crashed process are in the table `model_call`, but not in these metrics.
 */
function measureModels(registry: MetricsRegistry) {
  // Models are named by the zone's configuration, which bounds the label.
  const labels = { model: () => true };
  const calls = createCounter(registry, "model_calls_total", { ...labels, counted: ["yes", "no"] });
  const tokens = createCounter(registry, "model_tokens_total", {
    ...labels,
    kind: ["input", "cached_input", "output"],
  });
  const cost = createCounter(registry, "model_cost_dollars_total", labels);
  const refused = createCounter(registry, "model_calls_refused_total", { scope: budgetScopes });
  return {
    model_call_ended: ({ model, input, cached, output, cost: dollars, estimated }: CallRecord) => {
      calls.add({ model, counted: estimated ? "no" : "yes" });
      tokens.add({ model, kind: "input" }, input);
      tokens.add({ model, kind: "cached_input" }, cached);
      tokens.add({ model, kind: "output" }, output);
      if (dollars !== null) cost.add({ model }, dollars);
    },
    model_call_refused: ({ scope }: { readonly scope: string }) => refused.add({ scope }),
  };
}

/** Returns what measures the events of tasks. */
function measureTasks(registry: MetricsRegistry) {
  // Tasks exist only for existing agents, which bounds the label.
  const tasks = createRedMetrics(registry, "task", {
    labels: { agent: () => true },
    outcomes: ["success", ...Object.keys(errorTable)],
  });
  const retried = createCounter(registry, "tasks_retried_total");
  const taken = createCounter(registry, "task_leases_lost_total");
  const failures = createCounter(registry, "task_store_failures_total", { operation: storeOperations });
  const ended = ({ agent, kind, duration_ms: durationMs }: EndedTask): void =>
    tasks.record({ labels: { agent }, outcome: kind ?? "success", durationMs });
  return {
    task_started: ({ attempt }: { readonly attempt: number }) => {
      if (attempt > 1) retried.add({});
    },
    task_ended: ended,
    task_failed: ended,
    task_lease_lost: () => taken.add({}),
    task_store_failed: ({ operation }: Operation) => failures.add({ operation }),
  };
}

/** Makes the function that logs and measures the zone's events. Those of runs contain no text of people or agents. */
export function createZoneEmit({
  logger,
  metrics: { registry },
}: Pick<Telemetry, "logger" | "metrics">): Emit<ExecutionEvent> {
  // Runs exist only for existing workflows, which bounds the label.
  const labels = { workflow: () => true };
  const started = createCounter(registry, "workflow_runs_started_total", labels);
  const reopened = createCounter(registry, "workflow_runs_reopened_total", labels);
  const runs = createRedMetrics(registry, "workflow_run", { labels, outcomes: runEnds });
  const steps = createRedMetrics(registry, "workflow_step", { labels, outcomes: stepEnds });
  const failures = createCounter(registry, "workflow_failures_total", { kind: trouble });
  const calls = createCounter(registry, "task_call_failures_total", { operation: callOperations });
  const unreachable = createCounter(registry, "task_run_failures_total", { operation: runOperations });
  const refused = createCounter(registry, "http_requests_refused_total", {
    reason: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)],
  });
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
      ...measureMessages(registry),
      ...measureModels(registry),
      ...measureTasks(registry),
      http_refused: ({ reason }: { readonly reason: string }) => refused.add({ reason }),
      task_call_failed: ({ operation }: Operation) => calls.add({ operation }),
      task_run_unreachable: ({ operation }: Operation) => unreachable.add({ operation }),
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
