import { errorTable, ZoneError, zoneMethods, type ErrorKind } from "@crosszone/contracts";
import type { Outcome } from "@crosszone/jsonrpc";
import { badRequestStatuses, createCounter, createRedMetrics, type BadRequest } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { ExecutionDeps } from "./deps.ts";
import { refusalReasons, type Refusal } from "./http/refuse.ts";
import type { RequestContext } from "./methods/request-context.ts";
import { observeTasks } from "./observe-tasks.ts";
import type { TaskObserver } from "./tasks/task-observer.ts";

export interface Observation {
  tasks: TaskObserver;
  rpcAnswered: (outcome: Outcome, context: RequestContext) => void;
  httpRefused: (refusal: Refusal) => void;
  /** What is no HTTP, or too slow, and so never became a request. */
  httpBroken: (error: BadRequest) => void;
  httpFailed: (error: unknown, requestId: string) => void;
}

/**
 * Turns what happens into log lines and metrics. An error is logged once, where it arose: a task's in `task_failed`, a
 * request's own in `rpc_failed`; an answer that only repeats a task's error says its kind and no more.
 */
export function createObservation({ logger, metrics }: Pick<ExecutionDeps, "logger" | "metrics">): Observation {
  const outcomes = ["success", ...Object.keys(errorTable)];
  const rpc = createRedMetrics(metrics.registry, {
    name: "rpc",
    help: "JSON-RPC requests",
    labels: { method: Object.keys(zoneMethods) },
    outcomes,
  });
  const refused = createCounter(metrics.registry, {
    name: "http_requests_refused_total",
    help: "Requests that HTTP refused before JSON-RPC saw them, by reason",
    labels: { reason: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)] },
  });

  return {
    tasks: observeTasks({ logger, metrics }),

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

    httpRefused: ({ status, kind, reason, correlationId, requestId, cause }) => {
      refused.add({ reason });
      const ids = { correlation_id: correlationId, http_request_id: requestId };
      const fields = { status, kind, reason, code: errorTable[kind].code, ...ids };
      logger.warn("http_refused", cause === undefined ? fields : { ...fields, cause });
    },
    httpBroken: ({ status, code: parser, requestId }) => {
      const reason = `http_${status}`;
      refused.add({ reason });
      const { code } = errorTable.invalid_request;
      logger.warn("http_refused", {
        status,
        kind: "invalid_request",
        reason,
        code,
        parser,
        http_request_id: requestId,
      });
    },
    httpFailed: (cause, requestId) => {
      const { code } = errorTable.internal;
      logger.error("http_failed", { kind: "internal", code, http_request_id: requestId, cause });
    },
  };
}

/** What a request about a task can do wrong by itself: these name the task too, but are no outcome of it. */
const requestsOwn: ReadonlySet<ErrorKind> = new Set(["task_not_found", "invalid_state_transition"]);

/** Whether an error is a task's outcome told again; the runner has logged it already. */
function isTasksOwn(error: unknown): boolean {
  return error instanceof ZoneError && error.data.task_id !== undefined && !requestsOwn.has(error.kind);
}
