import type { LLMock } from "@copilotkit/aimock";
import { ZoneError } from "@crosszone/contracts";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { describe, expect, test } from "vitest";
import { createTracer, type SpanEnd, type SpanOptions, type Tracer } from "@crosszone/service-kit/tracing";
import type { Agent } from "../agents/agent.ts";
import { measureBridge, measureWorkflows } from "./open-gateway.ts";
import { createZoneEmit } from "./open-store.ts";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";
import { echo, startZone, agentThat, task } from "../testing/start-zone.ts";

/** A span, with the `traceparent` of its parent. */
interface RecordedSpan extends SpanOptions {
  name: string;
  /** Its own `traceparent`. */
  own: string;
  traceparent: string | undefined;
  ended?: SpanEnd;
}

/** A tracer that records its spans in memory, in starting order. */
function recordSpans(): { tracer: Tracer; spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const tracer = createTracer((name, options) => {
    const own = `00-${"a".repeat(32)}-${String(spans.length + 1).padStart(16, "0")}-01`;
    const span: RecordedSpan = { ...options, name, own, traceparent: options.traceparent };
    spans.push(span);
    const end = (ended: SpanEnd = {}): void => void (span.ended ??= ended);
    return { traceparent: own, set: () => undefined, end };
  });
  return { tracer, spans };
}

const trace_id = "0af7651916cd43dd8448eb211c80319c";

const ids = { run_id: "r1", workflow_id: "w", correlation_id: "c1" };

const run = { ...ids, traceparent: `00-${trace_id}-b7ad6b7169203331-01` };

function watch() {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger = createLogger({ zone: "execution", level: "debug", events: executionEvents, destination });
  const metrics = createMetrics();
  return {
    metrics,
    emit: createZoneEmit({ logger, metrics }),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    shown: async () => (await metrics.render()).body,
  };
}

test("M1: waiting calls and open runs are read once for both gauges of a scrape, and again for the next scrape", async () => {
  const metrics = createMetrics();
  let [reads, readsOfRuns] = [0, 0];
  measureWorkflows(metrics, async () => ({ open: (readsOfRuns += 1), oldestDueMs: 1_500 }));
  measureBridge(metrics, {
    calls: async () => ({ open: 9, waiting: (reads += 1), oldestWaitingMs: 1_500, running: 2 }),
    circuits: () => [],
    slots: () => new Map(),
    isKnown: () => true,
  });
  for (const scrape of [1, 2]) {
    const { body } = await metrics.render();
    expect(body).toContain(`agent_calls_waiting ${scrape}\n`);
    expect(body).toContain("agent_call_oldest_waiting_seconds 1.5\n");
    expect(body).toContain(`workflow_runs_open ${scrape}\n`);
    expect(body).toContain("workflow_run_oldest_due_seconds 1.5\n");
    expect([reads, readsOfRuns]).toEqual([scrape, scrape]);
  }
});

describe("observe workflows", () => {
  test("internal errors are logged with their cause, and counted by kind", async () => {
    const { emit, lines, shown } = watch();
    emit("run_broken", { ...run, cause: new Error("a bug") });
    emit("run_unreadable", { run_id: "r2", cause: new Error("no key") });
    emit("run_timer_failed", { cause: new Error("away") });
    emit("run_timer_failed", { run_id: "r3", cause: new Error("odd") });
    expect(lines()).toMatchObject([
      { level: "error", event: "run_broken", ...ids, trace_id, cause: { message: "a bug" } },
      { level: "error", event: "run_unreadable", run_id: "r2" },
      { level: "warn", event: "run_timer_failed" },
      { level: "warn", event: "run_timer_failed", run_id: "r3" },
    ]);
    const body = await shown();
    for (const [kind, count] of Object.entries({ broken: 1, unreadable: 1, timer: 2 }))
      expect(body).toContain(`workflow_failures_total{kind="${kind}"} ${count}\n`);
  });
});

describe("rpc spans", () => {
  test("an unknown method is not a span name, and its error has kind and code", async () => {
    const { tracer, spans } = recordSpans();
    const zone = await startZone([echo], { tracer });
    await zone.call("made_up", {}, null);
    expect(spans).toMatchObject([
      {
        name: "jsonrpc",
        kind: "server",
        ended: {
          error: "method_not_found",
          attributes: { "rpc.method": "_OTHER", "jsonrpc.request.id": "", "rpc.status_code": "-32601" },
        },
      },
    ]);
    expect(spans[0]?.ended?.name).toBeUndefined();
  });
});

/** Returns the names of a span and its ancestors, outermost first. */
function pathOf(span: RecordedSpan, spans: readonly RecordedSpan[]): string[] {
  const parent = spans.find(({ own }) => own === span.traceparent);
  return [...(parent ? pathOf(parent, spans) : []), span.name];
}

/** Sends a question to a model that calls the agent `scout` and then answers. */
async function traced(mock: LLMock, agent?: Agent) {
  const usage = { input_tokens: 300, output_tokens: 7 };
  mock.on({ userMessage: "planted", hasToolResult: true }, { content: "The planted-answer.", usage });
  const asked = { name: "scout", arguments: { text: "planted-argument xoxb-1-planted-token" } };
  mock.on({ userMessage: "planted" }, { toolCalls: [asked], usage });
  const given: (string | undefined)[] = [];
  const scout = agentThat(
    async (_input, { traceparent }) => (given.push(traceparent), { response_text: "planted-result" }),
    "scout",
  );
  const { tracer, spans } = recordSpans();
  const others = [agent ?? scout];
  const zone = await startWithModel(anthropic(mock), others, { tracer });
  const params = task({ text: "planted-question", user_id: "U1", context_id: "ctx-1" });
  const answer = await zone.call("execute_task", params);
  return { answer, spans, given, named: (name: string) => spans.filter((span) => span.name === name) };
}

const turn = ["jsonrpc", "run_task", "invoke_agent assistant"];

test("each model call, tool and agent of a turn has a span, and each agent receives its own", async () => {
  const { spans, given, named } = await traced(await startModel());
  expect(spans.map((span) => pathOf(span, spans))).toEqual([
    ...turn.map((_name, index) => turn.slice(0, index + 1)),
    [...turn, "chat claude-sonnet-4-6"],
    [...turn, "execute_tool scout"],
    [...turn, "execute_tool scout", "invoke_agent scout"],
    [...turn, "chat claude-sonnet-4-6"],
  ]);
  expect(spans.every(({ ended }) => ended !== undefined && ended.error === undefined)).toBe(true);
  expect(given).toEqual([named("invoke_agent scout")[0]?.own]);
});

test("a failed agent is an error of its span and of the tool, not of the turn", async () => {
  const failing = agentThat(() => Promise.reject(new ZoneError("agent_unavailable")), "scout");
  const { spans } = await traced(await startModel(), failing);
  expect(spans.flatMap(({ name, ended }) => (ended?.error === undefined ? [] : [[name, ended.error]]))).toEqual([
    ["execute_tool scout", "failed"],
    ["invoke_agent scout", "agent_unavailable"],
  ]);
});

test("a failed model call is an error of each attempt, with its reason and without the provider's text", async () => {
  const mock = await startModel();
  const error = { message: "planted-words", type: "authentication_error" };
  mock.on({ userMessage: "planted" }, { error, status: 401 });
  const { named, spans } = await traced(mock);
  expect(named("chat claude-sonnet-4-6").map(({ ended }) => ended)).toEqual([{ error: "invalid_key" }]);
  expect(named("invoke_agent assistant")[0]?.ended).toEqual({ error: "agent_misconfigured" });
  expect(JSON.stringify(spans)).not.toContain("planted");
});
