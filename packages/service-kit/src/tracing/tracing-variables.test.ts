import { describe, expect, test } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { type ConfigValues } from "../config/definition.ts";
import { loadConfig } from "../config/load-config.ts";
import { tracesEndpoint, tracingProblems, tracingVariables, type TracingVariables } from "./tracing-variables.ts";

const load = (env: Record<string, string>): ConfigValues<TracingVariables> =>
  loadConfig(tracingVariables, env, tracingProblems).values;

describe("the destination of traces", () => {
  test("is unset by default", () => {
    const config = load({});
    expect(tracesEndpoint(config)).toBeUndefined();
    expect(config.OTEL_TRACES_SAMPLER_ARG).toBe(1);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" }, "http://127.0.0.1:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example/base/" }, "https://otlp.example/base/v1/traces"],
  ])("%j", (env, endpoint) => {
    expect(tracesEndpoint(load(env))).toBe(endpoint);
  });
});

test("headers are read in the format of the standard", () => {
  const { OTEL_EXPORTER_OTLP_HEADERS } = load({ OTEL_EXPORTER_OTLP_HEADERS: "X-Api-Key=abc%20def, other=1=2," });
  expect(OTEL_EXPORTER_OTLP_HEADERS).toEqual({ "x-api-key": "abc def", other: "1=2" });
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "hidden-value"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "hidden value=1"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=hidden%0d%0aevil: 1"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=hidden%"],
  ["OTEL_EXPORTER_OTLP_HEADERS", ",hidden,"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
])("an error in %s=%s is reported, but never the value of a secret", (name, value) => {
  const message = messageOf({ [name]: value });
  expect(message).toContain(`${name} is not valid`);
  expect(message).not.toContain("hidden");
});

test("an API key is not sent unencrypted over the network", () => {
  const key = { OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=secret" };
  for (const safe of ["https://otlp.example", "http://127.0.0.1:4318", "http://localhost:4318"])
    expect(() => load({ ...key, OTEL_EXPORTER_OTLP_ENDPOINT: safe })).not.toThrow();
  expect(() => load({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otlp.example" })).not.toThrow();
  expect(messageOf({ ...key, OTEL_EXPORTER_OTLP_ENDPOINT: "http://otlp.example" })).toContain(
    "OTEL_EXPORTER_OTLP_ENDPOINT is http: to another machine, where others could read OTEL_EXPORTER_OTLP_HEADERS",
  );
});

function messageOf(env: Record<string, string>): string {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return "";
}
