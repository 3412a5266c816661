import { createZoneEmit } from "@crosszone/execution";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";

/** Logs and measures as the execution zone does. */
export function zoneTelemetry() {
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents });
  const metrics = createMetrics();
  return { logger, metrics, emit: createZoneEmit({ logger, metrics }) };
}
