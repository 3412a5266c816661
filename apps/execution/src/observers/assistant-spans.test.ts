import type { LLMock } from "@copilotkit/aimock";
import { ZoneError } from "@crosszone/contracts";
import { expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { loadExecutionConfig } from "../config/config.ts";
import { recordSpans, type RecordedSpan } from "../testing/record-spans.ts";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";
import { agentThat, task } from "../testing/start-zone.ts";

const capture = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** Returns the names of a span and its ancestors, outermost first. */
function pathOf(span: RecordedSpan, spans: readonly RecordedSpan[]): string[] {
  const parent = spans.find(({ own }) => own === span.traceparent);
  return [...(parent ? pathOf(parent, spans) : []), span.name];
}

const attributesOf = ({ attributes, ended }: RecordedSpan) => ({ ...attributes, ...ended?.attributes });

interface Tried {
  readonly agent?: Agent;
  readonly env?: Record<string, string>;
}

/** Sends a question to a model that calls the agent `scout` and then answers. */
async function traced(mock: LLMock, { agent, env = {} }: Tried = {}) {
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
  const { zone } = await startWithModel({ ...anthropic(mock), ...env }, { others, tracer });
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

test("spans have the attributes of the conventions, and no message text", async () => {
  const { spans, named } = await traced(await startModel());
  const [asking, answering] = named("chat claude-sonnet-4-6");
  expect(asking?.kind).toBe("client");
  expect(asking && attributesOf(asking)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude-sonnet-4-6",
    "gen_ai.request.stream": true,
    "gen_ai.request.max_tokens": 4_096,
    "gen_ai.response.id": expect.any(String) as string,
    "gen_ai.response.model": "claude-sonnet-4-6",
    "gen_ai.response.time_to_first_chunk": expect.any(Number) as number,
    "gen_ai.response.finish_reasons": ["tool-calls"],
    "gen_ai.usage.input_tokens": 300,
    "gen_ai.usage.output_tokens": 7,
  });
  expect(answering && attributesOf(answering)).toMatchObject({ "gen_ai.response.finish_reasons": ["stop"] });
  const [tool] = named("execute_tool scout");
  expect(tool && attributesOf(tool)).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "scout",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": expect.any(String) as string,
  });
  expect(named("invoke_agent scout")[0]?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "scout",
    "gen_ai.conversation.id": "ctx-1",
  });
  expect(JSON.stringify(spans)).not.toContain("planted");
});

test.each(["SPAN_ONLY", "true"])("%s adds message text, in the form of the conventions", async (value) => {
  const { named } = await traced(await startModel(), { env: { [capture]: value } });
  const [, chat] = named("chat claude-sonnet-4-6");
  const [tool] = named("execute_tool scout");
  const all = { ...(chat && attributesOf(chat)), ...(tool && attributesOf(tool)) };
  expect(JSON.parse(String(all["gen_ai.input.messages"]))).toMatchObject([
    { role: "system" },
    { role: "user", parts: [{ type: "text", content: expect.stringContaining("planted-question") as string }] },
    { role: "assistant", parts: expect.arrayContaining([expect.objectContaining({ name: "scout" })]) as object[] },
    { role: "tool", parts: [{ type: "tool_call_response" }] },
  ]);
  expect(JSON.parse(String(all["gen_ai.output.messages"]))).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "The planted-answer." }], finish_reason: "stop" },
  ]);
  expect(all["gen_ai.tool.call.arguments"]).toContain("planted-argument");
  expect(all["gen_ai.tool.call.result"]).toBe("planted-result");
});

test("content can't be requested as events, because there are none", () => {
  expect(() => loadExecutionConfig({ [capture]: "EVENT_ONLY" })).toThrow(/NO_CONTENT or SPAN_ONLY/);
});

test("a failed agent is an error of its span and of the tool, not of the turn", async () => {
  const failing = agentThat(() => Promise.reject(new ZoneError("agent_unavailable")), "scout");
  const { spans } = await traced(await startModel(), { agent: failing });
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
