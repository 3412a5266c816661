import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { errorFields } from "./error-fields.ts";
import type { TraceCallsDeps } from "./trace-slack.ts";

export interface TraceZoneDeps extends TraceCallsDeps {
  /** Makes UUIDs. */
  readonly newId: () => string;
}

/**
 * Returns a client of execution that reports each call by its request id, correlation id, method and outcome. An error appears here only by
 * kind; the caller logs the details. Each call has a span, sent as `traceparent`. https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function traceZone(zone: Client<ZoneMethods>, { tracer, emit, newId }: TraceZoneDeps): Client<ZoneMethods> {
  return {
    call: async (method, params, options = {}) => {
      const { id = newId(), correlationId } = options;
      const span = tracer.start(method, {
        kind: "client",
        traceparent: options.traceparent,
        attributes: {
          "rpc.system.name": "jsonrpc",
          "rpc.method": method,
          "jsonrpc.protocol.version": "2.0",
          "jsonrpc.request.id": id,
          "crosszone.correlation_id": correlationId,
        },
      });
      const { traceparent } = span;
      const startedAt = performance.now();
      const answered = (outcome: string, code?: number | string): void => {
        const ids = { correlation_id: correlationId, request_id: id, operation: method, traceparent };
        emit("rpc_answered", { ...ids, outcome, code, duration_ms: performance.now() - startedAt });
        span.end({
          error: outcome === "success" ? undefined : outcome,
          attributes: { "rpc.status_code": code === undefined ? undefined : String(code) },
        });
      };
      try {
        const result = await zone.call(method, params, {
          ...options,
          id,
          ...(traceparent !== undefined && { traceparent }),
        });
        answered("success");
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        answered(kind, code);
        throw error;
      }
    },
  };
}
