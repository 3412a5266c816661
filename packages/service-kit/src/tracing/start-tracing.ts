import type { ProcessEvent } from "@crosszone/telemetry";
import { z } from "zod";
import type { ConfigProblem } from "../config/config-error.ts";
import { type ConfigValues, groupOf, url, variable } from "../config/definition.ts";
import type { Logger } from "../logging/logger.ts";
import { isReadableOnTheWay } from "../values/text.ts";
import { withTimeout } from "../values/timing.ts";
import { createTracer } from "./tracer.ts";

const otlpHeaders = z
  .string()
  .transform(readOtlpHeaders)
  .refine((headers) => headers !== undefined)
  .describe("name=value pairs with commas between them, values percent-encoded");

const ratio = z
  .string()
  .regex(/^(0|1|0?\.\d+|[01]\.0*)$/, { error: "it is not a ratio" })
  .transform(Number)
  .describe("a number from 0 to 1");

/** The standard variables of OpenTelemetry that a zone reads. Tracing is off unless an endpoint is set. */
export const tracingVariables = groupOf("Logs, metrics and traces", {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url().optional(), { example: "http://127.0.0.1:4318" })`
      URL of an OTLP collector; traces go to /v1/traces below it. Without an endpoint, tracing is off.`,
  OTEL_EXPORTER_OTLP_HEADERS: variable(otlpHeaders.optional(), { secret: true })`
      Headers for the collector, such as an API key. They require TLS or a collector on this machine.`,
  OTEL_TRACES_SAMPLER_ARG: variable(ratio, { default: "1" })`
      Share of traces that the zone records. A caller's choice for its trace comes first.`,
});

export type TracingConfig = ConfigValues<typeof tracingVariables>;

/** Returns the URL for traces; undefined when tracing is off. */
export const tracesEndpoint = ({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: Partial<TracingConfig>): string | undefined =>
  base?.replace(/\/?$/, "/v1/traces");

/** Returns a problem if an API key would be sent unencrypted over the network. */
export function tracingProblems(config: Partial<TracingConfig>): ConfigProblem[] {
  if (config.OTEL_EXPORTER_OTLP_HEADERS === undefined || !isReadableOnTheWay(tracesEndpoint(config))) return [];
  const wrong = "is http: to another machine, where others could read OTEL_EXPORTER_OTLP_HEADERS";
  return [{ name: "OTEL_EXPORTER_OTLP_ENDPOINT", wrong, expected: "https:, or a host on this machine" }];
}

/**
 * Parses `name=value,other=value` with percent-encoded values. Returns undefined when any part is invalid.
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables
 */
function readOtlpHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  const headers = pairs.map((pair) => {
    const [, name = "", value = ""] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return [name.toLowerCase(), decoded(value)] as const;
  });
  if (headers.length === 0 || headers.some(([name, value]) => name === "" || value === undefined)) return undefined;
  return Object.fromEntries(headers) as Record<string, string>;
}

/** Decodes a value. Undefined unless it is printable ASCII, which HTTP can carry everywhere. */
function decoded(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Minimum time between two log lines about an unreachable collector, milliseconds. */
const reportEveryMs = 60_000;
const flushMs = 2_000;

/** Creates the configured tracer. Loads the SDK of OpenTelemetry only if tracing is on. */
export async function startTracing({
  config,
  zone,
  version,
  logger,
}: {
  readonly config: TracingConfig;
  readonly zone: string;
  readonly version: string;
  readonly logger: Logger<ProcessEvent>;
}) {
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
    /** Sends the remaining spans, for two seconds at most. Never rejects: lost traces must not fail the stop. */
    stop: (): Promise<void> => (stopped ??= flush()),
  };
}

export type Tracing = Awaited<ReturnType<typeof startTracing>>;
