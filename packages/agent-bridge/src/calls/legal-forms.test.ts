import { ownMember } from "@crosszone/service-kit/json";
import { describe, expect, test } from "vitest";
import { doneWith, taskIn } from "../testing/agent-record.ts";
import {
  card,
  card10,
  chunk,
  done10,
  errorOf,
  result,
  says,
  showing10,
  startCardedAgent,
  status,
  streaming,
  task10,
} from "../testing/start-carded-agent.ts";

const answered = chunk("The answer.", false);
const file = result({
  kind: "artifact-update",
  taskId: "remote-1",
  contextId: "ctx-1",
  artifact: { artifactId: "f", parts: [{ kind: "data", data: { n: 1 } }] },
});
const whole = { failure: undefined, attempts: 1, output: { text: "The answer." } };

describe("J4: what comes after the final status", () => {
  const ended = [answered, status("completed")];
  test.each([
    ["its only artifact", { events: [status("completed")], late: [answered] }],
    ["its only artifact, and the stream stays open", { events: [status("completed")], late: [answered], ends: "hang" }],
    ["the whole task", { events: [status("completed")], late: [result(doneWith("The answer."))] }],
    ["an error", { events: [...ended, '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}'] }],
    ["[DONE]", { events: [...ended, "[DONE]"] }],
    ["another status, and the stream stays open", { events: [...ended, status("working")], ends: "hang" }],
    ["its only artifact, and the stream breaks", { events: [status("completed"), answered], ends: "cut" }],
    ["an empty task", { events: [answered, status("completed"), result(taskIn("completed", { artifacts: [] }))] }],
  ])("%s", async (_, stream) => {
    const { agent, call } = await streaming({ "message/stream": stream });
    expect(await call().end).toMatchObject(whole);
    expect(agent.methods()).toEqual(["message/stream"]);
  });

  test("is a second artifact", async () => {
    const { call } = await streaming({ "message/stream": { events: ended, late: [file] } });
    expect((await call().end).output).toMatchObject({ artifacts: [{ artifactId: "a" }, { artifactId: "f" }] });
  });

  test("stands beside a question, and a task that goes on without an answer to it is followed", async () => {
    const asks = status("input-required", says("Approve?"));
    const beside = await streaming({ "message/stream": { events: [asks], late: [file], ends: "hang" } });
    expect((await beside.call().end).failure).toMatchObject({
      kind: "input_required",
      data: { agent_says: "Approve?", artifacts: [{ artifactId: "f" }] },
    });
    const events = [status("auth-required"), status("working"), answered, status("completed")];
    const { call } = await streaming({ "message/stream": { events } });
    expect(await call().end).toMatchObject(whole);
  });

  test.each([
    ["a stream", { "message/stream": { events: [status("completed")] } }, card],
    ["a blank artifact", { "message/stream": { events: [chunk(" ", false), status("completed")] } }, card],
    ["the first answer", { "message/send": result(taskIn("completed")) }, { ...card, capabilities: {} }],
  ])("can be the whole answer, which is polled once: %s", async (_, answers, own) => {
    const stored = await streaming({ ...answers, "tasks/get": result(doneWith("The answer.")) }, { card: own });
    expect(await stored.call().end).toMatchObject(whole);
    expect(stored.agent.methods().slice(1)).toEqual(["tasks/get"]);
    for (const gone of [errorOf(-32_001), 500, result(taskIn("working")), result(taskIn("completed"))]) {
      const { agent, call } = await streaming({ ...answers, "tasks/get": gone }, { card: own });
      expect(await call().end).toMatchObject({ failure: undefined, attempts: 1 });
      expect(agent.methods().slice(1)).toEqual(["tasks/get"]);
    }
  });

  test("is polled once more when a poll finds the end without it", async () => {
    const polls = [result(task10("completed")), result(done10("The answer."))];
    const answers = { SendMessage: showing10("working"), GetTask: polls };
    const { agent, call } = await streaming(answers, { card: { ...card10, capabilities: {} } });
    expect(await call().end).toMatchObject(whole);
    expect(agent.methods()).toEqual(["SendMessage", "GetTask", "GetTask"]);
  });
});

describe("J9: legal forms of a call", () => {
  test("a task whose state the agent cannot tell now is followed, or polled", async () => {
    const polls = [result(task10("unspecified")), result(done10("The answer."))];
    const answers = { SendStreamingMessage: { events: [showing10("unspecified")] }, GetTask: polls };
    const { call } = await streaming(answers, { card: card10 });
    expect(await call().end).toMatchObject(whole);
    const unknown = result(taskIn("unknown"));
    const followed = { "message/stream": { events: [unknown, answered, status("completed")] } };
    expect(await (await streaming(followed)).call().end).toMatchObject(whole);
    const polled = { "message/stream": unknown, "tasks/get": result(doneWith("The answer.")) };
    expect(await (await streaming(polled)).call().end).toMatchObject(whole);
  });

  test("the last event of a stream counts without a blank line after it", async () => {
    const stream = { events: [answered, status("completed")], ends: "bare" as const };
    const { agent, call } = await streaming({ "message/stream": stream });
    expect(await call().end).toMatchObject(whole);
    expect(agent.methods()).toHaveLength(1);
  });

  test("but not when it is cut within: the task is polled", async () => {
    const half = JSON.stringify({ jsonrpc: "2.0", id: "t1", result: doneWith("The answer.") }).slice(0, -9);
    const { agent, call } = await streaming({
      "message/stream": { events: [result(taskIn("working")), half], ends: "bare" },
      "tasks/get": result(doneWith("The answer.")),
    });
    expect(await call().end).toMatchObject(whole);
    expect(agent.methods()).toEqual(["message/stream", "tasks/get"]);
  });

  test.each([
    { error: { code: -32_603, message: "Session 7 was not found" } },
    { error: { code: -32_001, message: "Task not found" } },
    { error: { code: -32_602, message: "Unknown contextId." } },
    result(taskIn("rejected", { status: { state: "rejected", ...says("Session 7 not found") } })),
  ])("a context id that the agent refuses is left out once: %j", async (refusal) => {
    const answers = { "message/stream": [refusal, result(doneWith("The answer."))] };
    const agent = await startCardedAgent({ card, answers });
    const end = await agent.call({}, { context_id: "ours" });
    expect(end).toMatchObject({ attempts: 2, output: { text: "The answer.", context_id: "ctx-1" } });
    expect(agent.asked.map(({ body }) => body.params.message?.["contextId"])).toEqual(["ours", undefined]);
    const again = await startCardedAgent({ card, answers: { "message/stream": refusal } });
    expect((await again.call({}, { context_id: "ours" })).failure).toBeDefined();
    expect(again.asked).toHaveLength(2);
  });

  test.each([
    ["has another reason", { error: { code: -32_603, message: "maximum context length is 8192 tokens" } }, {}],
    ["is that of a task in the context", { events: [status("failed", says("no such city"))] }, {}],
    ["comes after an agent with side effects has begun", { events: [errorOf(-32_001)] }, { side_effects: true }],
  ])("it is kept when the failure %s", async (_, refusal, own) => {
    const agent = await startCardedAgent({ card, answers: { "message/stream": refusal } });
    expect((await agent.call(own, { context_id: "ours" })).failure).toBeDefined();
    expect(agent.asked).toHaveLength(1);
  });
});

describe("J11: the words of a failed task", () => {
  test.each([
    ["Agent execution error: no such table: users", false],
    ['Traceback (most recent call last):\n  File "a.py", line 3, in run', false],
    ["KeyError: 'city'", false],
    ["openai.RateLimitError: Error code: 429 - {'error': …}", false],
    ["Error code: 401 - {'error': {'message': 'Incorrect API key'}}", false],
    ["java.lang.NullPointerException", false],
    ["RuntimeError('boom')", false],
    [`("<class 'a.Client'> service failed: Error code: 404", NotFoundError('no'))`, false],
    ["It broke\n    at run (/srv/agent.js:10:7)", false],
    ["The archive burned down.", true],
    ["Error: the city is unknown. Write it again.", true],
    ["An exception applies to this rule: ask your manager.", true],
    ["I made an error: the date is in the past.", true],
  ])("%j is for people: %s", async (words, isForPeople) => {
    const { call } = await streaming({ "message/stream": { events: [status("failed", says(words))] } });
    const { failure } = await call().end;
    expect(failure?.message).toContain(words.slice(0, 8));
    expect(ownMember(failure?.data, "agent_says")).toBe(isForPeople ? words : undefined);
  });
});
