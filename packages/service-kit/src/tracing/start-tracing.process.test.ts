// suite: rest
import { processEvents } from "@crosszone/telemetry";
import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { createLogger } from "../logging/logger.ts";
import { startTracing, type Tracing, tracingVariables } from "./start-tracing.ts";

interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string }[] };
    scopeSpans: { spans: { name: string; attributes: { key: string; value: { stringValue?: string } }[] }[] }[];
  }[];
}

async function collector(status = 200): Promise<{ url: string; server: Server; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Sent);
      response.writeHead(status).end("{}");
    });
  });
  return { url: await serve(server), server, sent };
}

async function start(env: Record<string, string>): Promise<Tracing & { log: Record<string, unknown>[] }> {
  const log: Record<string, unknown>[] = [];
  const logger = createLogger({
    zone: "z",
    level: "debug",
    events: processEvents,
    destination: { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const { values: config } = loadConfig(tracingVariables, env);
  return { ...(await startTracing({ config, zone: "z", version: "1.2.3", logger })), log };
}

const spansOf = (sent: Sent[]): Sent["resourceSpans"][0]["scopeSpans"][0]["spans"] =>
  sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

test("the OpenTelemetry SDK is loaded only if tracing is on", () => {
  const program = (env: object): string => `
    import { registerHooks } from "node:module";
    let loaded = 0;
    registerHooks({ resolve: (name, context, next) => (/^@opentelemetry\\/(?!api$)/.test(name) && loaded++, next(name, context)) });
    const { startTracing, tracingVariables } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    const { loadConfig } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const { values: config } = loadConfig(tracingVariables, ${JSON.stringify(env)});
    await startTracing({ config, zone: "z", version: "1", logger: { info() {} } });
    console.log(loaded);`;
  const loaded = (env: object): number => {
    const options = ["--conditions=@crosszone/source", "--input-type=module"];
    const { stdout, stderr } = spawnSync(process.execPath, [...options, "-e", program(env)], { encoding: "utf8" });
    expect(stderr).toBe("");
    return Number(stdout);
  };
  expect(loaded({})).toBe(0);
  expect(loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })).toBeGreaterThan(0);
});

test("a token in place of an id is not sent, and no attribute exceeds 256 characters", async () => {
  const { url, sent } = await collector();
  const { tracer, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  const span = tracer.start("work", { kind: "server", attributes: { "jsonrpc.request.id": "xoxb-1-secret" } });
  span.set({ long: "x".repeat(1_000), none: undefined });
  span.end({ name: "renamed", error: "timeout" });
  await stop();
  const [one] = spansOf(sent);
  expect(one?.name).toBe("renamed");
  expect(Object.fromEntries((one?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]))).toEqual({
    "jsonrpc.request.id": "[redacted]",
    long: "x".repeat(256),
    "error.type": "timeout",
  });
});

test("texts of people and models can be longer, are truncated without tokens, and lists are sent as lists", async () => {
  const { url, sent } = await collector();
  const { tracer, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  const messages = `xoxb-1-secret ${"x".repeat(5_000)}`;
  const attributes = { "gen_ai.input.messages": messages, "gen_ai.response.finish_reasons": ["stop", "xoxb-1-secret"] };
  tracer.start("chat", { kind: "client", attributes }).end();
  await stop();
  const [one] = spansOf(sent);
  expect(one?.attributes).toEqual([
    { key: "gen_ai.input.messages", value: { stringValue: `[redacted] ${"x".repeat(4_096 - 11)}` } },
    {
      key: "gen_ai.response.finish_reasons",
      value: { arrayValue: { values: [{ stringValue: "stop" }, { stringValue: "[redacted]" }] } },
    },
  ]);
});

test("a share of the traces is recorded, and every trace that a caller records", async () => {
  const { url, sent } = await collector();
  const half = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: "0.5" });
  for (let index = 0; index < 400; index += 1) half.tracer.start("work", { kind: "internal" }).end();
  await half.stop();
  expect(spansOf(sent).length).toBeGreaterThan(100);
  expect(spansOf(sent).length).toBeLessThan(300);

  const none = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: "0" });
  expect(none.tracer.start("work", { kind: "internal" }).traceparent).toMatch(/-00$/);
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  expect(none.tracer.start("work", { kind: "internal", traceparent }).traceparent).toMatch(/-01$/);
  await none.stop();
});

test("spans beyond the queue limit are dropped", async () => {
  const { url, sent } = await collector();
  const { tracer, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  for (let index = 0; index < 20_000; index += 1) tracer.start("work", { kind: "internal" }).end();
  await stop();
  expect(spansOf(sent).length).toBeGreaterThan(2_000);
  expect(spansOf(sent).length).toBeLessThan(3_000);
});
