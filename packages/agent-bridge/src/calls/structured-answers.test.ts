import { isAgentResult, problemsOf } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { failureResult } from "../bridge/call-ending.ts";
import type { AgentFailure } from "../protocol/agent-failure.ts";
import { hitlUri } from "../protocol/hitl-extension.ts";
import { newAgentTask } from "../testing/agent-record.ts";
import {
  card10,
  done10,
  errorOf,
  result,
  startCardedAgent,
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
