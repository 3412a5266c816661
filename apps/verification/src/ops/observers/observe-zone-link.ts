import { zoneMethods } from "@crosszone/contracts";
import { createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { ObserveZoneCall } from "../../zone-link/observed-zone.ts";
import { errorFields, errorKinds } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/**
 * Logs and counts each call to execution: one line with its request id, correlation id, method and outcome. An error appears here only by
 * kind; the caller logs the details. Each call has a span, sent as `traceparent`. https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function observeZoneLink({ logger, registry, tracer }: ObserverDeps): ObserveZoneCall {
  const calls = createRedMetrics(registry, "zone_rpc", {
    labels: { method: Object.keys(zoneMethods) },
    outcomes: ["success", ...errorKinds],
  });
  return async ({ method, id, correlationId, traceparent }, send) => {
    const span = tracer.start(method, {
      kind: "client",
      traceparent,
      attributes: {
        "rpc.system.name": "jsonrpc",
        "rpc.method": method,
        "jsonrpc.protocol.version": "2.0",
        "jsonrpc.request.id": id,
        "crosszone.correlation_id": correlationId,
      },
    });
    const startedAt = performance.now();
    const answered = (outcome: string, code?: number | string): void => {
      const durationMs = performance.now() - startedAt;
      calls.record({ labels: { method }, outcome, durationMs });
      logger.info("rpc_answered", {
        correlation_id: correlationId,
        request_id: id,
        operation: method,
        outcome,
        ...(code !== undefined && { code }),
        duration_ms: Math.round(durationMs),
        ...traceFields(span.traceparent),
      });
      span.end({
        error: outcome === "success" ? undefined : outcome,
        attributes: { "rpc.status_code": code === undefined ? undefined : String(code) },
      });
    };
    try {
      const result = await send(span.traceparent);
      answered("success");
      return result;
    } catch (error) {
      const { kind, code } = errorFields(error);
      answered(kind, code);
      throw error;
    }
  };
}
