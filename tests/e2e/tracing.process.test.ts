// suite: rest
import { setTimeout as delay } from "node:timers/promises";
import { ZoneError } from "@crosszone/contracts";
import type { PostMessage } from "@crosszone/dev-slack";
import { describe, expect, test, vi } from "vitest";
import { tune } from "@crosszone/testkit/tune";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { type CollectedSpan, startOtlpCollector } from "../harness/otlp-collector.ts";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { type CrosszoneOptions, startCrosszone } from "../harness/start-crosszone.ts";

const kinds = ["", "internal", "server", "client", "producer", "consumer"];

/** Asks one question, then stops both zones, so that all spans have been sent. Those of the message are all in one trace. */
async function traced(text: string, { files = [], ...options }: CrosszoneOptions & Pick<PostMessage, "files"> = {}) {
  const collector = await startOtlpCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...options.env };
  const zones = await startCrosszone({ ...options, env });
  await zones.answerTo(zones.write({ text, files }));
  await vi.waitFor(() => expect(zones.log.map(({ event }) => event)).toContain("answer_posted"));
  await zones.verification.stop();
  await zones.execution.stop();
  const root = collector.spans.find(({ attributes }) => attributes["crosszone.verdict"] === "accepted");
  const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
  return { zones, collector, trace };
}

/** Returns a span and its ancestors, from the root. */
function pathOf(span: CollectedSpan, trace: readonly CollectedSpan[]): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  const own = `${String(span.service).replace("crosszone-", "")} ${kinds[span.kind]} ${span.name}`;
  return [...(parent ? pathOf(parent, trace) : []), own];
}

const pathTo = (name: string, trace: readonly CollectedSpan[]): string[][] =>
  trace.filter((span) => span.name === name).map((span) => pathOf(span, trace));

const asked = ["verification consumer receive slack.events", "verification consumer process ask"];
const called = ["verification client execute_task", "execution server execute_task"];
const toRunTask = [...asked, ...called, "execution internal run_task"];

describe("a message in both zones is one trace", () => {
  test("Z13, R5.5: from Slack's event to the agent call, each span under the one that caused it", async () => {
    const agents = [agentThat("test-agent", async () => (await delay(150), { response_text: "ok" }))];
    const { collector, trace, zones } = await traced("hello", { agents, limits: { syncWindowMs: 50 } });
    expect(collector.problems).toEqual([]);
    expect(pathTo("invoke_agent test-agent", trace)).toEqual([
      [...toRunTask, "execution internal invoke_agent test-agent"],
    ]);
    expect(pathTo("get_async_task_result", trace)).toContainEqual([
      ...asked,
      "verification client get_async_task_result",
      "execution server get_async_task_result",
    ]);
    for (const method of ["chat.startStream", "chat.stopStream"])
      expect(pathTo(method, trace)).toContainEqual([...asked, `verification client ${method}`]);
    expect(pathTo("users.info", trace)).toContainEqual([
      ...asked,
      "verification internal judge policy",
      "verification client users.info",
    ]);
    expect(trace.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);

    const lines = zones.log.filter(({ trace_id }) => trace_id === trace[0]?.traceId);
    expect(new Set(lines.map(({ zone }) => zone))).toEqual(new Set(["verification", "execution"]));
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["event_accepted", "rpc_answered", "task_ended", "answer_posted"]),
    );
  });

  test("the read of a file is part of the trace, in both zones", async () => {
    const files = [{ name: "private.csv", mimetype: "text/csv", content: "name,age\nAda,36\n" }];
    const { collector, trace, zones } = await traced("what did I attach", { files });
    expect(pathTo("GET /files/{id}", trace)).toEqual([[...toRunTask, "verification server GET /files/{id}"]]);
    expect(pathTo("files.info", trace)[0]?.at(-2)).toBe("verification server GET /files/{id}");
    expect(zones.log.find(({ event }) => event === "file_served")).toMatchObject({ trace_id: trace[0]?.traceId });
    expect(collector.raw.join()).not.toMatch(/private|Ada|url_private/);
  });

  test.each(["in-process", "agentcore"] as const)("R5.5: over %s too", async (link) => {
    const { trace } = await traced("2+2", { link });
    expect(pathTo("run_task", trace)).toEqual([toRunTask]);
  });

  test("spans have the attributes of the conventions, and the ids that the logs have", async () => {
    const { trace, zones } = await traced("2+2");
    const accepted = zones.log.find(({ event }) => event === "event_accepted");
    const attributesOf = (path: string): CollectedSpan["attributes"] | undefined =>
      trace.find((span) => pathOf(span, trace).at(-1) === path)?.attributes;
    const messaging = {
      "messaging.system.name": "slack",
      "messaging.destination.name": "slack.events",
      "messaging.message.conversation_id": accepted?.["correlation_id"],
    };
    expect(attributesOf("verification consumer receive slack.events")).toMatchObject({
      ...messaging,
      "messaging.operation.type": "receive",
      "messaging.message.id": accepted?.["event_id"],
    });
    expect(attributesOf("verification consumer process ask")).toMatchObject({
      ...messaging,
      "messaging.operation.type": "process",
      "crosszone.outcome": "done",
      "crosszone.request_id": accepted?.["request_id"],
    });
    expect(attributesOf("verification internal judge policy")).toEqual({ "crosszone.policy.verdict": "allowed" });
    const rpc = {
      "rpc.system.name": "jsonrpc",
      "rpc.method": "execute_task",
      "jsonrpc.protocol.version": "2.0",
      "jsonrpc.request.id": accepted?.["request_id"],
      "crosszone.correlation_id": accepted?.["correlation_id"],
    };
    expect(attributesOf("verification client execute_task")).toEqual(rpc);
    expect(attributesOf("execution server execute_task")).toEqual(rpc);
    expect(attributesOf("execution internal run_task")).toMatchObject({
      "crosszone.task_id": zones.log.find(({ event }) => event === "task_ended")?.["task_id"],
      "crosszone.agent": "builtin",
    });
    expect(attributesOf("execution internal invoke_agent builtin")).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "builtin",
    });
  });

  test("an error is on every span that it passed, by kind and code, without its text", async () => {
    const agents = [
      agentThat("test-agent", () => Promise.reject(new ZoneError("agent_failed", {}, { cause: new Error("inner") }))),
    ];
    const { trace, collector } = await traced("hello", { agents, env: tune({ EXECUTION_RETRY_BUDGET_MS: 0 }) });
    const failed = trace.filter(({ attributes }) => attributes["error.type"] === "agent_failed");
    expect(failed.map(({ name, kind }) => `${kinds[kind]} ${name}`).toSorted()).toEqual([
      "client execute_task",
      "internal invoke_agent test-agent",
      "internal run_task",
      "server execute_task",
    ]);
    for (const { status } of failed) expect(status).toEqual({ code: 2 });
    for (const { attributes } of failed.filter(({ name }) => name === "execute_task"))
      expect(attributes["rpc.status_code"]).toBe("-32011");
    expect(collector.raw.join()).not.toContain("inner");
  });
});

test("a process of a zone sends its last spans when it stops, below the caller's", async () => {
  const collector = await startOtlpCollector();
  const zone = await startExecutionProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await postAs("none", { traceparent })(`${zone.url}/rpc`, rpcOf("list_agents", {}));
  expect(await zone.stop()).toBe(0);
  expect(collector.problems).toEqual([]);
  expect(collector.spans).toMatchObject([
    { name: "list_agents", traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" },
  ]);
});

test("with no share of traces nothing is sent, and the logs of both zones still have the trace", async () => {
  const collector = await startOtlpCollector();
  const zones = await startCrosszone({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "0" },
  });
  await zones.answerTo(zones.write({ text: "2+2" }));
  await vi.waitFor(() => expect(zones.log.map(({ event }) => event)).toContain("answer_posted"));
  await zones.verification.stop();
  expect(collector.raw).toEqual([]);
  const ofQuestion = zones.log.filter(({ operation }) => !/^list_(input_requests|fires)$/.test(String(operation)));
  const ids = new Set(ofQuestion.flatMap(({ trace_id }) => (trace_id === undefined ? [] : [trace_id])));
  expect(ids.size).toBe(1);
});

test("a collector that is down prevents no answer, and is one line in the log", async () => {
  const zones = await startCrosszone({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } });
  const answer = await zones.answerTo(zones.write({ text: "2+2" }));
  expect(answer.markdown_text).toContain("4");
  await zones.verification.stop();
  const failed = zones.log.filter(({ event, zone }) => event === "trace_export_failed" && zone === "verification");
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatchObject({ level: "warn" });
});
