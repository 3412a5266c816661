import { createCounter } from "@crosszone/service-kit";
import type { AgentObserver } from "../agents/agent-directory.ts";
import { callOperations, type CallObserver } from "../agents/calls/task-calls.ts";
import { runOperations, type RunObserver } from "../agents/workflows/task-runs.ts";
import type { Telemetry } from "./telemetry.ts";

/** Turns events of agents into log lines. */
export function observeAgents({ logger }: Pick<Telemetry, "logger">): AgentObserver {
  return {
    hidden: ({ name, kind = "agent" }) => logger.warn("agent_hidden", { agent_name: name, agent_kind: kind }),
    threadEnded: (cause) => logger.warn("agent_thread_ended", { cause }),
  };
}

/** Turns failures of agent calls into log lines and metrics. */
export function observeCalls({ logger, metrics: { registry } }: Telemetry): CallObserver {
  const failures = createCounter(registry, {
    name: "task_call_failures_total",
    labels: { operation: callOperations },
  });
  return {
    callFailed: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_call_failed", { operation, cause });
    },
  };
}

/** Turns failures of tasks' runs into log lines and metrics. */
export function observeRuns({ logger, metrics: { registry } }: Telemetry): RunObserver {
  const failures = createCounter(registry, {
    name: "task_run_failures_total",
    labels: { operation: runOperations },
  });
  return {
    runFailed: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_run_unreachable", { operation, cause });
    },
  };
}
