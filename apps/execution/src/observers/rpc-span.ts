import { zoneMethods } from "@crosszone/contracts";
import type { Outcome } from "@crosszone/jsonrpc";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { RequestContext } from "../methods/request-context.ts";

/**
 * Starts the span of a message. The method is unknown until the message is parsed.
 * https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function beginRpcSpan(tracer: Tracer, context: RequestContext): void {
  const attributes = { "rpc.system.name": "jsonrpc", "jsonrpc.protocol.version": "2.0" };
  context.span = tracer.start("jsonrpc", { kind: "server", traceparent: context.traceparent, attributes });
  context.traceparent = context.span.traceparent;
}

/** Ends the span with the message's outcome. Omits the name of an unknown method, because the caller made it up. */
export function endRpcSpan({ method, id, correlationId, kind, code }: Outcome, { span }: RequestContext): void {
  if (span === undefined) return;
  const known = method !== undefined && Object.hasOwn(zoneMethods, method);
  span.end({
    ...(known && { name: method }),
    error: kind,
    attributes: {
      "rpc.method": known ? method : "_OTHER",
      "jsonrpc.request.id": id === undefined ? undefined : String(id ?? ""),
      "rpc.status_code": code === undefined ? undefined : String(code),
      "crosszone.correlation_id": correlationId,
    },
  });
}
