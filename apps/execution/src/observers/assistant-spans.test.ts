import type { LLMock } from "@copilotkit/aimock";
import { ZoneError } from "@crosszone/contracts";
import { expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { recordSpans, type RecordedSpan } from "../testing/record-spans.ts";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";
import { agentThat, task } from "../testing/start-zone.ts";

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
  const { zone } = await startWithModel(anthropic(mock), { others, tracer });
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
