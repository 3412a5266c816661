import type { ProcessEvent } from "@crosszone/telemetry";
import type { ConfigValues } from "../config/definition.ts";
import type { Logger } from "../logging/logger.ts";
import { withTimeout } from "../timing/timing.ts";
import { createTracer, type Tracer } from "./tracer.ts";
import { tracesEndpoint, type TracingVariables } from "./tracing-variables.ts";

export interface TracingOptions {
  readonly config: ConfigValues<TracingVariables>;
  readonly zone: string;
  readonly version: string;
  readonly logger: Logger<ProcessEvent>;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the remaining spans, for two seconds at most. Never rejects: lost traces must not fail the stop. */
  readonly stop: () => Promise<void>;
}

/** Minimum time between two log lines about an unreachable collector, milliseconds. */
const reportEveryMs = 60_000;
const flushMs = 2_000;

/** Creates the configured tracer. Loads the SDK of OpenTelemetry only if tracing is on. */
export async function startTracing({ config, zone, version, logger }: TracingOptions): Promise<Tracing> {
  const endpoint = tracesEndpoint(config);
  if (endpoint === undefined) return { tracer: createTracer(), stop: async () => undefined };
  const { createOtlpRecorder } = await import("./otlp-recorder.ts");
  let lost = 0;
  let lastCause: unknown;
  let reportedAt = -Infinity;
  const report = (cause: unknown): void => {
    reportedAt = performance.now();
    logger.warn("trace_export_failed", { spans_lost: lost, cause });
    lost = 0;
  };
  const { record, shutdown } = createOtlpRecorder({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    resource: {
      "service.name": `crosszone-${zone}`,
      "service.namespace": "crosszone",
      "service.version": version,
      "service.instance.id": crypto.randomUUID(),
      "crosszone.zone": zone,
    },
    share: config.OTEL_TRACES_SAMPLER_ARG,
    onFailure: ({ cause, spans }) => {
      lost += spans;
      lastCause = cause;
      if (performance.now() - reportedAt >= reportEveryMs) report(cause);
    },
  });
  const { origin, pathname } = new URL(endpoint);
  logger.info("tracing_started", { endpoint: origin + pathname, share: config.OTEL_TRACES_SAMPLER_ARG });
  const flush = async (): Promise<void> => {
    await withTimeout(flushMs, shutdown).catch(report);
    if (lost > 0) report(lastCause);
  };
  let stopped: Promise<void> | undefined;
  return {
    tracer: createTracer(record),
    stop: () => (stopped ??= flush()),
  };
}
