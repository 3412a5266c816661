import * as fc from "fast-check";
import { expect, test, describe } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import { createTracer, inSpan, type SpanEnd, type SpanOptions, readTraceparent } from "./tracer.ts";
import { tracesEndpoint, tracingProblems, tracingVariables, type TracingConfig } from "./start-tracing.ts";

const came = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("R5.5: with tracing off, the incoming traceparent is passed on, even in nested spans", async () => {
  const tracer = createTracer();
  expect(tracer.recording).toBe(false);
  const span = tracer.start("outer", { kind: "server", traceparent: came });
  expect(span.traceparent).toBe(came);
  await span.run(async () => {
    await Promise.resolve();
    expect(tracer.current()?.traceparent).toBe(came);
    expect(tracer.start("inner", { kind: "client" }).traceparent).toBe(came);
  });
  expect(tracer.current()).toBeUndefined();
});

function recording(): { tracer: ReturnType<typeof createTracer>; begun: [string, SpanOptions][]; ended: SpanEnd[] } {
  const begun: [string, SpanOptions][] = [];
  const ended: SpanEnd[] = [];
  const tracer = createTracer((name, options) => {
    begun.push([name, options]);
    return { traceparent: `span-${begun.length}`, set: () => undefined, end: (end = {}) => void ended.push(end) };
  });
  return { tracer, begun, ended };
}

test("a span's parent is the one it names, otherwise the active one", () => {
  const { tracer, begun } = recording();
  const outer = tracer.start("outer", { kind: "server", traceparent: came });
  outer.run(() => {
    tracer.start("inner", { kind: "client" });
    tracer.start("told", { kind: "client", traceparent: "elsewhere" });
  });
  tracer.start("alone", { kind: "client" });
  expect(begun.map(([name, { traceparent }]) => [name, traceparent])).toEqual([
    ["outer", came],
    ["inner", "span-1"],
    ["told", "elsewhere"],
    ["alone", undefined],
  ]);
});

test("a span ends with its work and records the kind of an error, but not its text", async () => {
  const { tracer, ended } = recording();
  const span = tracer.start("work", { kind: "internal" });
  expect(
    await inSpan(
      span,
      async () => tracer.current(),
      () => ({ kind: "none" }),
    ),
  ).toBe(span);
  const failing = inSpan(
    span,
    () => Promise.reject(new Error("private")),
    () => ({ kind: "agent_failed" }),
  );
  await expect(failing).rejects.toThrow("private");
  expect(ended).toEqual([{}, { error: "agent_failed" }]);
});

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

test.each([
  ["missing", undefined],
  ["sent twice", [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`]],
  ["empty", ""],
  ["upper case", `00-${trace.toUpperCase()}-${parent}-01`],
  ["no trace", `00-${"0".repeat(32)}-${parent}-01`],
  ["no parent", `00-${trace}-${"0".repeat(16)}-01`],
  ["version ff", `ff-${trace}-${parent}-01`],
  ["too much for version 00", `00-${trace}-${parent}-01-x`],
  ["cut off", `00-${trace}-${parent}`],
  ["a line break", `00-${trace}-${parent}-01\n`],
  ["far too long", `01-${trace}-${parent}-01-${"x".repeat(9_000)}`],
])("R5.5: an invalid traceparent is dropped: %s", (_name, header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test("for any input, the traceparent that is passed on is valid and of version 00", () => {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdef")), minLength: length, maxLength: length });
  const near = fc.tuple(hex(2), hex(32), hex(16), hex(2), fc.string()).map((parts) => parts.join("-"));
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (header) => {
      const read = readTraceparent(header);
      expect(read === undefined || /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(read)).toBe(true);
    }),
  );
});

const load = (env: Record<string, string>): TracingConfig => loadConfig(tracingVariables, env, tracingProblems).values;

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
