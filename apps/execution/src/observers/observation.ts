import { errorTable, ZoneError, zoneMethods, type ErrorKind } from "@crosszone/contracts";
import type { Outcome } from "@crosszone/jsonrpc";
import { createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { Agent } from "../agents/agent.ts";
import type { Telemetry } from "./log-events.ts";
import type { RequestContext } from "../methods/request-context.ts";
import { observeHttp, type HttpObservation } from "./observe-http.ts";
import { observeTasks } from "./observe-tasks.ts";
import type { TaskObserver } from "../tasks/task-observer.ts";
import type { Task } from "../tasks/task.ts";

export interface Observation extends HttpObservation {
  tasks: TaskObserver;
  rpcAnswered: (outcome: Outcome, context: RequestContext) => void;
  /** A task's progress couldn't be read; the caller got an answer without it. */
  progressFailed: (task: Pick<Task, "task_id" | "correlation_id" | "agent">, cause: unknown) => void;
  /** An agent can't be called, because another source has an agent of the same name. */
  agentHidden: (agent: Pick<Agent, "name" | "kind">) => void;
}

/**
 * Turns events into log lines and metrics. An error is logged once, where it arose: a task's in `task_failed`, a
 * request's own in `rpc_failed`. An answer that repeats a task's error logs only its kind.
 */
export function createObservation({ logger, metrics }: Telemetry): Observation {
  const outcomes = ["success", ...Object.keys(errorTable)];
  const rpc = createRedMetrics(metrics.registry, {
    name: "rpc",
    help: "JSON-RPC requests",
    labels: { method: Object.keys(zoneMethods) },
    outcomes,
  });

  return {
    ...observeHttp({ logger, metrics }),
    tasks: observeTasks({ logger, metrics }),
    progressFailed: ({ task_id, correlation_id, agent }, cause) =>
      logger.warn("task_progress_failed", { task_id, correlation_id, agent, cause }),
    agentHidden: ({ name, kind = "agent" }) => logger.warn("agent_hidden", { agent_name: name, agent_kind: kind }),

    rpcAnswered: ({ method, id, correlationId, durationMs, bytesIn, error, code, kind }, context) => {
      const known = method !== undefined && Object.hasOwn(zoneMethods, method);
      rpc.record({ labels: { method: known ? method : "other" }, outcome: kind ?? "success", durationMs });
      const fields = {
        correlation_id: correlationId,
        request_id: id,
        operation: known ? method : "unknown",
        asked_by: context.caller,
        bytes_in: bytesIn,
        duration_ms: Math.round(durationMs),
        http_request_id: context.requestId,
        ...traceFields(context.traceparent),
        ...(kind && { kind, code }),
        ...(error instanceof ZoneError && error.data.task_id !== undefined && { task_id: error.data.task_id }),
      };
      if (kind === undefined || isTasksOwn(error)) logger.info("rpc_answered", fields);
      else if (kind === "internal") logger.error("rpc_failed", { ...fields, cause: error });
      else
        logger.warn("rpc_failed", { ...fields, ...(error instanceof ZoneError && { problems: error.data.problems }) });
    },
  };
}

/** Errors of the request itself. They name the task too, but are not its outcome. */
const requestsOwn: ReadonlySet<ErrorKind> = new Set(["task_not_found", "invalid_state_transition"]);

/** Whether an error repeats a task's outcome; the runner has already logged it. */
function isTasksOwn(error: unknown): boolean {
  return error instanceof ZoneError && error.data.task_id !== undefined && !requestsOwn.has(error.kind);
}
