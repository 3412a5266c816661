import { ownList } from "@crosszone/service-kit/json";
import { describe, expect, test } from "vitest";
import { doneWith, taskIn } from "../testing/agent-answers.ts";
import { errorOf, result, startCardedAgent } from "../testing/start-carded-agent.ts";
import { card, says, status } from "../testing/stream-events.ts";

const plainCard = { ...card, capabilities: {} };

describe("I11: an agent with side effects", () => {
  const acting = async (streamed: object) => {
    const agent = await startCardedAgent({
      card,
      answers: { "message/stream": streamed, "message/send": result(doneWith("done again")) },
    });
    const { failure } = await agent.call({ side_effects: true, timeout_ms: 300 });
    return { failure, methods: agent.methods() };
  };

  test.each([
    ["empty", { events: [] }],
    ["cut before its first event", { events: [], ends: "cut" as const }],
    ["silent", { events: [], ends: "hang" as const }],
    [
      "cut between messages",
      {
        events: [result({ kind: "message", messageId: "m", parts: [{ kind: "text", text: "O" }] })],
        ends: "cut" as const,
      },
    ],
  ])("was asked twice when it had opened a stream that was %s", async (_, streamed) => {
    expect(await acting(streamed)).toMatchObject({
      failure: { kind: "answer_lost", retryable: false },
      methods: ["message/stream"],
    });
  });

  test.each([
    ["was late", { events: [], ends: "hang" as const }],
    ["broke off", { events: [], ends: "cut" as const }],
    ["was a proxy's", 502],
  ])("was asked twice when the answer to its only request %s", async (_, answer) => {
    const agent = await startCardedAgent({
      card: plainCard,
      answers: { "message/send": [answer, result(doneWith("again"))] },
    });
    const { failure } = await agent.call({ side_effects: true, timeout_ms: 300 });
    expect(failure).toMatchObject({ kind: "answer_lost", retryable: false });
    expect(agent.methods()).toEqual(["message/send"]);
  });

  test("is asked again when it has not begun", async () => {
    expect(await acting([503, { events: [] }])).toMatchObject({ failure: undefined });
    expect(await acting(errorOf(-32_601))).toMatchObject({ failure: undefined });
  });
});

describe("I12: a file that an agent rejects", () => {
  const file = { name: "a.txt", media_type: "text/plain", size: 2, bytes: "aGk=" };
  const accepting = { ...card, defaultInputModes: ["text/plain"] };
  const mastra = "Handler failed: 'file part media type text/plain' functionality not supported";
  const langgraph = { error: { code: -32_005, message: "Unsupported part type." } };
  const sent = async (first: object, agentSettings: object = {}) => {
    const answers = { "message/stream": [first, result(doneWith("without it"))] };
    const agent = await startCardedAgent({ card: accepting, answers });
    const end = await agent.call(agentSettings, { files: [file] });
    return { end, parts: agent.asked.map(({ body }) => ownList(body.params.message, "parts").length) };
  };

  test.each([
    ["by its code", langgraph],
    ["by its code in a stream", { events: [langgraph] }],
    ["in words, as a failed task", { events: [result(taskIn("working")), status("failed", says(mastra))] }],
  ])("%s made the whole question fail: it is asked once more without the file", async (_, first) => {
    const { end, parts } = await sent(first);
    expect(end).toMatchObject({ failure: undefined, output: { text: "without it" }, filesLeftOut: ["a.txt"] });
    expect(parts).toEqual([2, 1]);
  });

  test("is not tried again when the failure has another reason, or when an agent with side effects has begun", async () => {
    const failed = { events: [result(taskIn("working")), status("failed", says("no such city"))] };
    expect(await sent(failed)).toMatchObject({ end: { failure: { kind: "task_failed" } }, parts: [2] });
    const acting = await sent({ events: [langgraph] }, { side_effects: true });
    expect(acting).toMatchObject({ end: { failure: { kind: "rpc_error" } }, parts: [2] });
    expect(await sent(langgraph, { side_effects: true })).toMatchObject({ parts: [2, 1] });
  });

  test("is not sent to an agent of simple-a2a, which has no place for it, and that is said", async () => {
    const agent = await startCardedAgent({ card: undefined, answers: {} });
    const end = await agent.call({ protocol: "simple-a2a" }, { files: [file] });
    expect(end).toMatchObject({ filesLeftOut: ["a.txt"] });
  });
});
