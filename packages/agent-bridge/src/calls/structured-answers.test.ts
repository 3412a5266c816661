import { isAgentResult, problemsOf } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { failureResult } from "../bridge/leased-call.ts";
import type { AgentFailure } from "../protocol/protocol-adapter.ts";
import { hitlUri } from "../protocol/hitl-extension.ts";
import { newAgentTask } from "../testing/agent-record.ts";
import { startServer } from "../testing/http-agents.ts";
import { clientOf, startCall } from "../testing/start-call.ts";
import {
  card10,
  done10,
  errorOf,
  ids,
  result,
  startCardedAgent,
  status10,
  task10,
  type CardedAnswer,
} from "../testing/start-carded-agent.ts";

const card = { ...card10, capabilities: { extensions: [{ uri: hitlUri }] } };
const request = (id: string) => ({
  type: "tool_approval_request",
  tools: [{ id, call_id: id, name: "delete_file", args: { path: "/x" } }],
});
/** The task waits with a structured request. */
const asking = (id: string, extensions = [hitlUri]) =>
  task10("input-required", {
    message: {
      role: "ROLE_AGENT",
      messageId: `m-${id}`,
      parts: [{ text: "Approve?" }],
      extensions,
      metadata: { [hitlUri]: request(id) },
    },
  });
const response = { type: "tool_approval_response", approvals: [{ id: "1", approved: true }] };
const answer = { input_data: { text: "see metadata", [hitlUri]: response }, open_task_id: "remote-1" };

async function answering(answers: { GetTask: CardedAnswer | readonly CardedAnswer[]; SendMessage?: CardedAnswer }) {
  const agent = await startCardedAgent({
    card,
    answers: { SendMessage: result({ task: done10("done") }), ...answers },
  });
  const end = await agent.call({}, answer);
  return { end, methods: agent.methods(), asked: agent.asked };
}

describe("the extension by which an agent asks people", () => {
  test.each([
    ["a card that lists it, requests activate it", { card, protocol: "auto" }, hitlUri],
    ["a card without it, requests activate nothing", { card: card10, protocol: "auto" }, undefined],
    ["no card, requests activate it", { card: undefined, protocol: "a2a-1.0" }, hitlUri],
  ] as const)("with %s", async (_, { card: shown, protocol }, extensions) => {
    const streaming = { events: [result({ task: done10("done") })] };
    const answers = { SendMessage: result({ task: asking("1") }), SendStreamingMessage: streaming };
    const agent = await startCardedAgent({ card: shown, answers });
    await agent.call({ protocol });
    expect(agent.asked.map((one) => one.extensions)).toEqual([extensions]);
  });

  test("a structured request is part of the failure, as the bus gets it; one that isn't declared is not", async () => {
    const agent = await startCardedAgent({ card, answers: { SendMessage: result({ task: asking("1") }) } });
    const { failure } = await agent.call();
    const onBus = failureResult(newAgentTask(), failure as AgentFailure);
    expect(problemsOf(isAgentResult, onBus)).toEqual([]);
    expect(onBus).toMatchObject({
      status: "FAILURE",
      error: { kind: "input_required", retryable: false, data: { asks: request("1"), agent_says: "Approve?" } },
      open_task_id: "remote-1",
    });
    const SendMessage = result({ task: asking("1", []) });
    const other = await startCardedAgent({ card, answers: { SendMessage } });
    expect((await other.call()).failure?.data).not.toHaveProperty("asks");
  });
});

describe("a structured answer", () => {
  test("is sent on the task and in its context, declared and in the metadata", async () => {
    const { end, methods, asked } = await answering({ GetTask: result(asking("1")) });
    expect(end).toMatchObject({ failure: undefined, output: { text: "done" } });
    expect(methods).toEqual(["GetTask", "SendMessage"]);
    expect(asked[1]?.body.params.message).toMatchObject({
      taskId: "remote-1",
      extensions: [hitlUri],
      metadata: { [hitlUri]: response },
      parts: [{ text: "see metadata" }],
    });
  });

  test("is not sent when the task was answered from elsewhere: the task's own result counts", async () => {
    const over = await answering({ GetTask: result(done10("done elsewhere")) });
    expect(over).toMatchObject({ end: { output: { text: "done elsewhere" } }, methods: ["GetTask"] });
    const goesOn = await answering({ GetTask: [result(task10("working")), result(done10("later"))] });
    expect(goesOn).toMatchObject({ end: { output: { text: "later" } }, methods: ["GetTask", "GetTask"] });
    const asksAnew = await answering({ GetTask: result(asking("2")) });
    expect(asksAnew.methods).toEqual(["GetTask"]);
    expect(asksAnew.end.failure?.data).toMatchObject({ asks: request("2") });
  });

  test("waits until the task can be read", async () => {
    const { end, methods } = await answering({ GetTask: [503, result(asking("1"))] });
    expect(methods).toEqual(["GetTask", "GetTask", "SendMessage"]);
    expect(end.output).toMatchObject({ text: "done" });
    const never = await answering({ GetTask: 503 });
    expect(never).toMatchObject({ end: { failure: { kind: "http_unavailable" } } });
    expect(new Set(never.methods)).toEqual(new Set(["GetTask"]));
  });

  test("that the agent refuses is never sent as a new task", async () => {
    const { end, methods } = await answering({ GetTask: result(asking("1")), SendMessage: errorOf(-32_602) });
    expect(methods).toEqual(["GetTask", "SendMessage"]);
    expect(end.failure).toMatchObject({ kind: "rpc_error" });
  });
});

describe("O1: a value in an agent's answer was changed", () => {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };
  const artifact = (json: string) => ({ artifactId: "a", parts: [{ data: { id: rawJSON(json) } }] });
  const refusedFor = (words: string) => ({
    failure: { kind: "invalid_response", message: expect.stringContaining(words) },
  });
  const rows: [string, string][] = [
    ["12345678901234567890", "/data/id is 12345678901234567890, which would become 12345678901234567000"],
    ["1e400", "/data/id is 1e400, which would become null"],
    ["-0", "/data/id is -0, which would become 0"],
  ];

  test.each(rows)("in JSON: %s", async (json, words) => {
    const task = { ...task10("completed"), artifacts: [artifact(json)] };
    const agent = await startCardedAgent({ card, answers: { SendMessage: result({ task }) } });
    expect(await agent.call()).toMatchObject(refusedFor(`/result/task/artifacts/0/parts/0${words}`));
  });

  test.each(rows)("in an event of a stream: %s", async (json, words) => {
    const events = [result({ artifactUpdate: { ...ids, artifact: artifact(json) } }), status10("completed")];
    const agent = await startCardedAgent({ card: card10, answers: { SendStreamingMessage: { events } } });
    expect(await agent.call()).toMatchObject(refusedFor(`/result/artifactUpdate/artifact/parts/0${words}`));
  });

  test.each([...rows, ['1,"id":2', "/data/id is there twice"]])(
    "in an answer of simple-a2a: %s",
    async (json, words) => {
      const output = `{"data":{"id":${json}}}`;
      const url = await startServer(async (_request, reply) =>
        reply.end(`{"task_id":"t1","status":"success","output":${output}}`),
      );
      const { end } = startCall({
        agent: { url, protocol: "simple-a2a" },
        deps: { client: clientOf({ origins: [url] }) },
      });
      expect(await end).toMatchObject(refusedFor(`/output${words}`));
    },
  );
});

describe("J2: a call of ADK or kagent, or an interrupt of Strands, that waits", () => {
  const askedBy = (part: object) =>
    task10("input-required", { message: { role: "ROLE_AGENT", messageId: "m1", parts: [part] } });
  const waiting = (name: string, args: object) =>
    askedBy({ data: { id: "c:1", name, args }, metadata: { adk_type: "function_call", adk_is_long_running: true } });
  const functionResponse = (data: object) => [{ data, metadata: { adk_type: "function_response" } }];
  const confirmed = { originalFunctionCall: { id: "f1", name: "send", args: { to: "all" } }, toolConfirmation: {} };
  const id = (name: string) => `adk:${name}:c:1`;
  const confirmation = "adk_request_confirmation";

  test.each([
    {
      asked: waiting(confirmation, confirmed),
      asks: { type: "tool_approval_request", tools: [{ id: id(confirmation), name: "send", args: { to: "all" } }] },
      given: { type: "tool_approval_response", approvals: [{ id: id(confirmation), approved: false }] },
      sent: functionResponse({ id: "c:1", name: confirmation, response: { confirmed: false } }),
    },
    {
      asked: askedBy({
        data: { id: "c:1", name: confirmation, args: confirmed },
        metadata: { kagent_type: "function_call", kagent_is_long_running: true },
      }),
      asks: { type: "tool_approval_request", tools: [{ id: "kagent:f1", name: "send", args: { to: "all" } }] },
      given: { type: "tool_approval_response", approvals: [{ id: "kagent:f1", approved: true }] },
      sent: [{ data: { decision_type: "batch", decisions: { f1: "approve" } } }],
    },
    {
      asked: waiting("ask", { question: "Why?" }),
      asks: { type: "ask_user_request", id: id("ask"), questions: [{ question: "Why?" }] },
      given: { type: "ask_user_response", id: id("ask"), answers: [{ answer: ["So."] }] },
      sent: functionResponse({ id: "c:1", name: "ask", response: { result: "So." } }),
    },
    {
      asked: waiting("ask", { days: 2 }),
      asks: { type: "ask_user_request", id: id("ask"), questions: [{ question: 'ask {"days":2}' }] },
      given: { type: "ask_user_response", id: id("ask"), answers: [{ answer: ["a", "b"] }] },
      sent: functionResponse({ id: "c:1", name: "ask", response: { result: "a, b" } }),
    },
    {
      asked: askedBy({ data: { interrupts: [{ interruptId: "v1:x", name: "ok", reason: "Delete /x?" }] } }),
      asks: { type: "ask_user_request", id: "strands:v1:x", questions: [{ question: "Delete /x?" }] },
      given: { type: "ask_user_response", id: "strands:v1:x", answers: [{ answer: ["yes"] }] },
      sent: [{ data: { interruptResponse: { interruptId: "v1:x", response: "yes" } } }],
    },
  ])("asks people, and gets its own form of answer: $given", async ({ asked, asks, given, sent }) => {
    const GetTask = result(asked);
    const agent = await startCardedAgent({ card, answers: { SendMessage: result({ task: asked }), GetTask } });
    const { failure } = await agent.call();
    expect(failure).toMatchObject({ kind: "input_required", data: { asks } });
    const input_data = { text: "The decision is in the metadata.", [hitlUri]: given };
    const answers = { GetTask, SendMessage: result({ task: done10("done") }) };
    const answered = await startCardedAgent({ card, answers });
    await answered.call({}, { input_data, open_task_id: "remote-1" });
    expect(answered.asked.at(-1)?.body).toMatchObject({ method: "SendMessage", params: { message: { parts: sent } } });
  });
});
