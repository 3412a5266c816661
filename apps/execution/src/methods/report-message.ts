import { ZoneError, zoneMethods, type ErrorKind } from "@crosszone/contracts";
import type { Outcome } from "@crosszone/jsonrpc";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RequestContext } from "./request-context.ts";

/**
 * Reports a JSON-RPC message and ends its span. An error is logged once, where it arose: a task's in `task_failed`, a request's own in
 * `rpc_failed`. An answer that repeats a task's error logs only its kind.
 */
export function reportMessage(emit: Emit<ExecutionEvent>, outcome: Outcome, context: RequestContext): void {
  endSpan(outcome, context);
  const { error, kind } = outcome;
  const fields = fieldsOf(outcome, context);
  if (kind === undefined || isTasksOwn(error)) emit("rpc_answered", fields);
  else if (kind === "internal") emit("rpc_failed", { ...fields, cause: error });
  else emit("rpc_failed", { ...fields, problems: error instanceof ZoneError ? error.data.problems : undefined });
}

const isKnown = (method: string | undefined): method is string =>
  method !== undefined && Object.hasOwn(zoneMethods, method);

function fieldsOf(
  { method, id, correlationId, durationMs, bytesIn, error, code, kind }: Outcome,
  { caller, requestId, traceparent }: RequestContext,
) {
  return {
    correlation_id: correlationId,
    request_id: id,
    operation: isKnown(method) ? method : "unknown",
    asked_by: caller,
    bytes_in: bytesIn,
    duration_ms: durationMs,
    http_request_id: requestId,
    traceparent,
    kind,
    code,
    task_id: error instanceof ZoneError ? error.data.task_id : undefined,
  };
}

/** Errors of the request itself. They name the task too, but are not its outcome. */
const requestsOwn: ReadonlySet<ErrorKind> = new Set(["task_not_found", "invalid_state_transition"]);

/** Whether an error repeats a task's outcome; the runner has already logged it. */
function isTasksOwn(error: unknown): boolean {
  return error instanceof ZoneError && error.data.task_id !== undefined && !requestsOwn.has(error.kind);
}

/**
 * Starts the span of a message. The method is unknown until the message is parsed.
 * https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function beginSpan(tracer: Tracer, context: RequestContext): void {
  const attributes = { "rpc.system.name": "jsonrpc", "jsonrpc.protocol.version": "2.0" };
  context.span = tracer.start("jsonrpc", { kind: "server", traceparent: context.traceparent, attributes });
  context.traceparent = context.span.traceparent;
}

/** Ends the span with the message's outcome. Omits the name of an unknown method, because the caller made it up. */
function endSpan({ method, id, correlationId, kind, code }: Outcome, { span }: RequestContext): void {
  span?.end({
    name: isKnown(method) ? method : undefined,
    error: kind,
    attributes: {
      "rpc.method": isKnown(method) ? method : "_OTHER",
      "jsonrpc.request.id": id === undefined ? undefined : String(id ?? ""),
      "rpc.status_code": code === undefined ? undefined : String(code),
      "crosszone.correlation_id": correlationId,
    },
  });
}
