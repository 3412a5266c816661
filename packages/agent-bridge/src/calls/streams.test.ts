import { describe, expect, test } from "vitest";
import { doneWith, taskIn } from "../testing/agent-record.ts";
import { clientOf } from "../testing/start-call.ts";
import {
  errorOf,
  result,
  startCardedAgent,
  card,
  card10,
  ids,
  says,
  status,
  chunk,
  said10,
  task10,
  showing10,
  status10,
  done10,
  streaming,
} from "../testing/start-carded-agent.ts";

describe("an agent whose card offers streaming", () => {
  test("I2: gets the task once, and its events form the answer", async () => {
    const events = [
      result(taskIn("submitted")),
      status("working", says("on it")),
      chunk("One, ", false),
      chunk("two", true),
      status("working", says("nearly")),
      status("completed"),
    ];
    const { agent, call, progress, remoteIds } = await streaming({ "message/stream": { events, ends: "hang" } });
    const end = await call().end;
    expect(end).toMatchObject({ failure: undefined, attempts: 1 });
    expect(end.output).toMatchObject({
      context_id: "ctx-1",
      text: "One, two",
      artifacts: [{ artifactId: "a", parts: [{ text: "One, two" }] }],
    });
    expect([agent.methods(), progress, remoteIds]).toEqual([["message/stream"], ["on it", "nearly"], ["remote-1"]]);
  });

  test("I2: has its artifacts reported after each event, in both versions", async () => {
    const chunk10 = (text: string, append: boolean) =>
      result({ artifactUpdate: { ...ids, artifact: { artifactId: "a", parts: [{ text }] }, append } });
    const first = await streaming({
      "message/stream": { events: [chunk("One, ", false), chunk("two", true), status("completed")] },
    });
    const second = await streaming(
      {
        SendStreamingMessage: {
          events: [showing10("working"), chunk10("One, ", false), chunk10("two", true), status10("completed")],
        },
      },
      { card: card10 },
    );
    for (const { call } of [first, second]) {
      const reported: string[] = [];
      const onArtifacts = (artifacts: readonly unknown[]): number => reported.push(JSON.stringify(artifacts));
      await call({ onArtifacts }).end;
      const parts = ["One, ", "two"].map((text) => ({ kind: "text", text }));
      expect(reported.map((json) => JSON.parse(json) as unknown)).toEqual([
        [{ artifactId: "a", parts: parts.slice(0, 1) }],
        [{ artifactId: "a", parts }],
      ]);
    }
  });

  test("I2: whose stream breaks is subscribed to again while that brings new events, and then polled", async () => {
    const { agent, call, progress } = await streaming(
      {
        SendStreamingMessage: { events: [showing10("working")], ends: "cut" },
        SubscribeToTask: [
          { events: [showing10("working"), status10("working", said10("still on it"))], ends: "cut" },
          { events: [showing10("working", said10("still on it"))] },
        ],
        GetTask: [result(task10("working")), result(done10("whole"))],
      },
      { card: card10 },
    );
    expect(await call().end).toMatchObject({ attempts: 1, output: { text: "whole" } });
    expect(progress).toEqual(["still on it"]);
    const listened = ["SendStreamingMessage", "SubscribeToTask", "SubscribeToTask"];
    expect(agent.methods()).toEqual([...listened, "GetTask", "GetTask"]);
  });

  test("I2: whose call a killed process had started is subscribed to, and does not get the task again", async () => {
    const { agent, call } = await streaming(
      {
        SubscribeToTask: { events: [showing10("working"), status10("completed")], ends: "hang" },
        GetTask: result(done10("whole")),
      },
      { card: card10 },
    );
    expect(await call({ remoteId: "remote-1" }).end).toMatchObject({ attempts: 0, output: { text: "whole" } });
    expect(agent.methods()).toEqual(["SubscribeToTask", "GetTask"]);
  });

  test("I2: of A2A 0.3 whose stream breaks is polled, because resuming can duplicate pieces of its artifacts", async () => {
    const { agent, call } = await streaming({
      "message/stream": { events: [result(taskIn("working")), chunk("lost ", false)], ends: "cut" },
      "tasks/get": [result(taskIn("working")), result(doneWith("whole"))],
    });
    expect(await call().end).toMatchObject({ attempts: 1, output: { text: "whole" } });
    expect(agent.methods()).toEqual(["message/stream", "tasks/get", "tasks/get"]);
  });

  test.each([
    ["as an unknown method", errorOf(-32_601)],
    ["as an operation that it does not support", errorOf(-32_004)],
    ["with a status", 405],
  ])("but refuses it %s is called without it, within the same attempt", async (_, refusal) => {
    const { agent, call } = await streaming({ "message/stream": refusal, "message/send": result(doneWith("done")) });
    expect(await call().end).toMatchObject({ attempts: 1, output: { text: "done" } });
    expect(agent.methods()).toEqual(["message/stream", "message/send"]);
  });

  test("whose stream falls silent is polled", async () => {
    const silent = { events: [showing10("working")], ends: "hang" as const };
    const { call } = await streaming(
      { SendStreamingMessage: silent, SubscribeToTask: silent, GetTask: result(done10("done")) },
      { card: card10, timeout_ms: 1_000 },
    );
    expect(await call().end).toMatchObject({ attempts: 1, output: { text: "done" } });
  });
});

describe("N4: the events of a stream", () => {
  const stream = async (events: readonly object[], options: { readonly maxBytes: number }) => {
    const agent = await startCardedAgent({ card, answers: { "message/stream": { events } } });
    const client = clientOf({ origins: [agent.url], ...options });
    return await agent.start({ deps: { client } }).end;
  };

  test("can each be as large as an answer, and together sixteen times as large", async () => {
    const large = chunk("x".repeat(3_000), false);
    expect(await stream([large, status("completed")], { maxBytes: 2_000 })).toMatchObject({
      failure: { kind: "response_too_large" },
    });
    const many = Array.from({ length: 40 }, () => chunk("x".repeat(1_000), false));
    expect(await stream([...many, status("completed")], { maxBytes: 4_000 })).toMatchObject({ failure: undefined });
    expect(await stream([...many, ...many, status("completed")], { maxBytes: 4_000 })).toMatchObject({
      failure: { kind: "response_too_large" },
    });
  });
});

describe("I9: a stream is read to its end", () => {
  const token = (text: string, members: object = {}) =>
    result({ kind: "message", role: "agent", messageId: "m1", parts: [{ kind: "text", text }], ...members });
  const texts = ["You ", "asked\n\n- fi", "rst\n", "42 %."];
  const tokens = texts.map((text) => token(text));

  test("an answer that comes as one message per token was cut to its first word", async () => {
    const whole = "You asked\n\n- first\n42 %.";
    const message = await streaming({ "message/stream": { events: tokens } });
    const shown: string[] = [];
    const end = await message.call({ onArtifacts: (all: readonly unknown[]) => shown.push(JSON.stringify(all)) }).end;
    expect(end).toMatchObject({ output: { response: whole }, attempts: 1 });
    expect(shown.at(-1)).toBe(JSON.stringify([{ parts: texts.map((text) => ({ kind: "text", text })) }]));
    const task = await streaming({
      "message/stream": { events: [status("working"), ...tokens, status("completed"), token("never read")] },
    });
    expect(await task.call().end).toMatchObject({ output: { response: whole }, attempts: 1 });
  });

  test("a message with another id begins a new paragraph, and a task that follows carries the answer", async () => {
    const events = [token("One."), token("Two.", { messageId: "m2" })];
    const { call } = await streaming({ "message/stream": { events } });
    expect((await call().end).output).toEqual({ response: "One.\n\nTwo." });
    const answered = await streaming({ "message/stream": { events: [...events, result(doneWith("The answer."))] } });
    expect((await answered.call().end).output).toMatchObject({ text: "The answer." });
  });

  test("J17: a stream that breaks between messages is no answer, and one that stays open is one after the timeout", async () => {
    const broken = { events: tokens.slice(0, 2), ends: "cut" as const };
    const { agent, call } = await streaming({ "message/stream": broken, "message/send": result(doneWith("whole")) });
    expect(await call().end).toMatchObject({ attempts: 1, failure: { kind: "answer_lost" } });
    expect(agent.methods()).toEqual(["message/stream"]);
    const open = await streaming({ "message/stream": { events: tokens, ends: "hang" } }, { timeout_ms: 1_000 });
    expect((await open.call().end).output).toEqual({ response: "You asked\n\n- first\n42 %." });
  });

  test("events of A2A 1.0 without their wrapper were taken for tasks without an id, and the answer was lost", async () => {
    const bare = [
      showing10("submitted"),
      result({ kind: "status-update", ...ids, status: { state: "TASK_STATE_WORKING", ...said10("The an") } }),
      result({
        kind: "artifact-update",
        ...ids,
        artifact: { artifactId: "a", parts: [{ kind: "text", text: "The answer." }] },
      }),
      result({ kind: "status-update", ...ids, status: { state: "TASK_STATE_COMPLETED" }, final: true }),
    ];
    const { agent, call } = await streaming({ SendStreamingMessage: { events: bare } }, { card: card10 });
    expect((await call().end).output).toMatchObject({ text: "The answer." });
    expect(agent.methods()).toEqual(["SendStreamingMessage"]);
  });

  test("an answer in a progress message was shown as the JSON of the task", async () => {
    const events = [showing10("submitted"), status10("working", said10("It is 42.")), status10("completed")];
    const { call } = await streaming({ SendStreamingMessage: { events } }, { card: card10 });
    expect((await call().end).output).toEqual({ response: "It is 42.", context_id: "ctx-1" });
  });
});
