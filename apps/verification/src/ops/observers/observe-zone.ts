import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { createRedMetrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { errorFields, errorKinds } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

export interface ObserveZoneDeps extends ObserverDeps {
  /** Makes UUIDs. */
  readonly newId: () => string;
}

/**
 * Logs and counts each call to execution: one line with its request id, correlation id, method and outcome. An error appears here only by
 * kind; the caller logs the details. Each call has a span, sent as `traceparent`. https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function observeZone(
  zone: Client<ZoneMethods>,
  { logger, registry, newId, tracer }: ObserveZoneDeps,
): Client<ZoneMethods> {
  const calls = createRedMetrics(registry, {
    name: "zone_rpc",
    help: "Calls to the execution zone",
    labels: { method: Object.keys(zoneMethods) },
    outcomes: ["success", ...errorKinds],
  });
  return {
    call: async (method, params, options: CallOptions = {}) => {
      const id = options.id ?? newId();
      const span = tracer.start(method, {
        kind: "client",
        traceparent: options.traceparent,
        attributes: {
          "rpc.system.name": "jsonrpc",
          "rpc.method": method,
          "jsonrpc.protocol.version": "2.0",
          "jsonrpc.request.id": id,
          "crosszone.correlation_id": options.correlationId,
        },
      });
      const startedAt = performance.now();
      const seen = (outcome: string, code?: number | string): void => {
        const durationMs = performance.now() - startedAt;
        calls.record({ labels: { method }, outcome, durationMs });
        logger.info("rpc_answered", {
          correlation_id: options.correlationId,
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
        const result = await zone.call(method, params, { ...options, id, traceparent: span.traceparent });
        seen("success");
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        seen(kind, code);
        throw error;
      }
    },
  };
}
