import { z } from "zod";
import { type ConfigEntry, type ConfigValues, defineConfig } from "../config/definition.ts";
import type { ConfigProblem } from "../config/config-error.ts";
import { url } from "../config/kinds.ts";
import { isReadableOnTheWay } from "../config/loopback.ts";

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type SamplerName = (typeof samplerNames)[number];

type OptionalUrl = z.ZodOptional<z.ZodType<string, string>>;

/** The standard variables of OpenTelemetry that a zone reads. */
export type TracingVariables = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: ConfigEntry<OptionalUrl>;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ConfigEntry<OptionalUrl>;
  readonly OTEL_EXPORTER_OTLP_HEADERS: ConfigEntry<z.ZodOptional<z.ZodType<Record<string, string>, string>>>;
  readonly OTEL_SERVICE_NAME: ConfigEntry<z.ZodType<string, string>>;
  readonly OTEL_TRACES_SAMPLER: ConfigEntry<z.ZodType<SamplerName, string>>;
  readonly OTEL_TRACES_SAMPLER_ARG: ConfigEntry<z.ZodType<number, string>>;
};

const group = "Logs and traces";

/** Declares the tracing variables of a zone. Tracing is off unless an endpoint is set. */
export function defineTracingVariables(serviceName: string): TracingVariables {
  return defineConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      schema: url().optional(),
      description: "URL of an OTLP collector; traces go to /v1/traces below it. Without an endpoint, tracing is off.",
      example: "http://127.0.0.1:4318",
      group,
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      schema: url().optional(),
      description: "Full URL for traces. It replaces OTEL_EXPORTER_OTLP_ENDPOINT.",
      example: "http://127.0.0.1:4318/v1/traces",
      group,
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      schema: z
        .string()
        .transform(readOtlpHeaders)
        .refine((headers) => headers !== undefined)
        .describe("name=value pairs with commas between them, values percent-encoded")
        .optional(),
      secret: true,
      description: "Headers for the collector, such as an API key. They require TLS or a collector on this machine.",
      group,
    },
    OTEL_SERVICE_NAME: {
      schema: z.string().describe("a name"),
      default: serviceName,
      description: "Name of this zone in traces.",
      group,
    },
    OTEL_TRACES_SAMPLER: {
      schema: z.enum(samplerNames).describe(samplerNames.join(", ")),
      default: "parentbased_always_on",
      description: "Which traces the zone records.",
      group,
    },
    OTEL_TRACES_SAMPLER_ARG: {
      schema: z
        .string()
        .regex(/^(0|1|0?\.\d+|[01]\.0*)$/, { error: "it is not a ratio" })
        .transform(Number)
        .describe("a number from 0 to 1"),
      default: "1",
      description: "Share of traces that a ratio sampler records.",
      group,
    },
  });
}

export type TracingConfig = ConfigValues<TracingVariables>;

/** Returns the URL for traces; undefined when tracing is off. */
export function tracesEndpoint({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
  OTEL_EXPORTER_OTLP_ENDPOINT: all,
}: Partial<TracingConfig>): string | undefined {
  return traces ?? all?.replace(/\/?$/, "/v1/traces");
}

/** Returns the name of the variable that sets the URL for traces. */
export function tracesVariable({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces }: Partial<TracingConfig>): string {
  return traces === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
}

/** Returns a problem if an API key would be sent unencrypted over the network. */
export function tracingProblems(config: Partial<TracingConfig>): ConfigProblem[] {
  const endpoint = tracesEndpoint(config);
  if (endpoint === undefined || config.OTEL_EXPORTER_OTLP_HEADERS === undefined || !isReadableOnTheWay(endpoint))
    return [];
  const wrong = "is http: to another machine, where others could read OTEL_EXPORTER_OTLP_HEADERS";
  return [{ name: tracesVariable(config), wrong, expected: "https:, or a host on this machine" }];
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
