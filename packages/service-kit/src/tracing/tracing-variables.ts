import { z } from "zod";
import { type ConfigValues, groupOf, type OptionalVariable, variable, type Variable } from "../config/definition.ts";
import type { ConfigProblem } from "../config/config-error.ts";
import { url } from "../config/kinds.ts";
import { isReadableOnTheWay } from "../values/text.ts";

/** The standard variables of OpenTelemetry that a zone reads. */
export type TracingVariables = Readonly<{
  OTEL_EXPORTER_OTLP_ENDPOINT: OptionalVariable<string>;
  OTEL_EXPORTER_OTLP_HEADERS: OptionalVariable<Record<string, string>>;
  OTEL_TRACES_SAMPLER_ARG: Variable<number>;
}>;

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

/** The tracing variables of a zone. Tracing is off unless an endpoint is set. */
export const tracingVariables: TracingVariables = groupOf("Logs, metrics and traces", {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url().optional(), { example: "http://127.0.0.1:4318" })`
      URL of an OTLP collector; traces go to /v1/traces below it. Without an endpoint, tracing is off.`,
  OTEL_EXPORTER_OTLP_HEADERS: variable(otlpHeaders.optional(), { secret: true })`
      Headers for the collector, such as an API key. They require TLS or a collector on this machine.`,
  OTEL_TRACES_SAMPLER_ARG: variable(ratio, { default: "1" })`
      Share of traces that the zone records. A caller's choice for its trace comes first.`,
});

export type TracingConfig = ConfigValues<TracingVariables>;

/** Returns the URL for traces; undefined when tracing is off. */
export const tracesEndpoint = ({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: Partial<TracingConfig>): string | undefined =>
  base?.replace(/\/?$/, "/v1/traces");

/** Returns a problem if an API key would be sent unencrypted over the network. */
export function tracingProblems(config: Partial<TracingConfig>): ConfigProblem[] {
  const endpoint = tracesEndpoint(config);
  if (endpoint === undefined || config.OTEL_EXPORTER_OTLP_HEADERS === undefined || !isReadableOnTheWay(endpoint))
    return [];
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
