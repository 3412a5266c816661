import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { createRedMetrics, type Logger, type MetricsRegistry } from "@crosszone/service-kit";
import type { VerificationEvent } from "../log-events.ts";
import { errorFields, errorKinds } from "./error-fields.ts";

export interface ObserveZoneDeps {
  readonly logger: Logger<VerificationEvent>;
  readonly registry: MetricsRegistry;
  /** Makes UUIDs. */
  readonly newId: () => string;
}

/**
 * Logs and counts every call to the execution zone: one line with its request id, correlation id, method and outcome. An error
 * is told in full by whoever asked; here only its kind.
 */
export function observeZone(
  zone: Client<ZoneMethods>,
  { logger, registry, newId }: ObserveZoneDeps,
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
        });
      };
      try {
        const result = await zone.call(method, params, { ...options, id });
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
