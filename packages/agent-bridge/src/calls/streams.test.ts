import { describe, expect, test } from "vitest";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { doneWith, taskIn } from "../testing/agent-answers.ts";
import { clientOf } from "../testing/client-of.ts";
import { errorOf, result, startCardedAgent } from "../testing/start-carded-agent.ts";
import {
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
} from "../testing/stream-events.ts";

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

  test("I2: of A2A 1.0 is read in the same way", async () => {
    const said = { role: "ROLE_AGENT", parts: [{ text: "on it" }] };
    const artifact = (text: string) => ({ artifactId: "a", parts: [{ text }] });
    const events = [
      result({ task: { id: "remote-1", contextId: "ctx-1", status: { state: "TASK_STATE_SUBMITTED" } } }),
      result({ statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING", message: said } } }),
      result({ artifactUpdate: { ...ids, artifact: artifact("One, ") } }),
      result({ artifactUpdate: { ...ids, artifact: artifact("two"), append: true } }),
      result({ statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" } } }),
    ];
    const { agent, call, progress } = await streaming({ SendStreamingMessage: { events } }, { card: card10 });
    const end = await call().end;
    expect(end.output).toMatchObject({
      text: "One, two",
      artifacts: [{ parts: [{ kind: "text", text: "One, two" }] }],
    });
    expect([agent.methods(), progress]).toEqual([["SendStreamingMessage"], ["on it"]]);
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

  test("can answer with a message, with updates of a task that it never sent, and with plain JSON", async () => {
    const message = { kind: "message", role: "agent", messageId: "m", parts: [{ kind: "text", text: "hello" }] };
    const first = await streaming({ "message/stream": { events: [result(message)] } });
    expect(await first.call().end).toMatchObject({ output: { response: "hello" } });
    const bare = await streaming({ "message/stream": { events: [chunk("hi", false), status("completed")] } });
    expect(await bare.call().end).toMatchObject({ output: { text: "hi", context_id: "ctx-1" } });
    const plain = await streaming({ "message/stream": result(doneWith("done")) });
    expect(await plain.call().end).toMatchObject({ output: { text: "done" }, attempts: 1 });
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

  test.each([
    ["silent", { events: [], ends: "hang" as const }],
    ["cut before its first event", { events: [], ends: "cut" as const }],
    ["empty", { events: [] }],
  ])("with a stream that is %s is called without streaming at the next attempt", async (_, streamed) => {
    const { agent, call } = await streaming(
      { "message/stream": streamed, "message/send": result(doneWith("done")) },
      { timeout_ms: 500 },
    );
    expect(await call().end).toMatchObject({ attempts: 2, output: { text: "done" } });
    expect(agent.methods()).toEqual(["message/stream", "message/send"]);
  });

  test("whose stream falls silent is polled", async () => {
    const silent = { events: [showing10("working")], ends: "hang" as const };
    const { call } = await streaming(
      { SendStreamingMessage: silent, SubscribeToTask: silent, GetTask: result(done10("done")) },
      { card: card10, timeout_ms: 300 },
    );
    expect(await call().end).toMatchObject({ attempts: 1, output: { text: "done" } });
  });

  test("I4: gets the answer to its question without a stream, and a repeated question does not end the task", async () => {
    const question = { timestamp: "2026-03-02T09:15:00Z", ...said10("Which city?") };
    const { agent, call, progress } = await streaming(
      {
        SendMessage: showing10("input-required", question),
        SubscribeToTask: {
          events: [
            showing10("input-required", question),
            status10("working", said10("booking")),
            status10("completed"),
          ],
          ends: "hang",
        },
        GetTask: [result(task10("input-required", question)), result(done10("Oslo"))],
      },
      { card: card10 },
    );
    expect(await call({}, { open_task_id: "remote-1" }).end).toMatchObject({ output: { text: "Oslo" } });
    expect(agent.methods()).toEqual(["GetTask", "SendMessage", "SubscribeToTask", "GetTask"]);
    expect(progress).toEqual(["booking"]);
  });

  test("R4.4: and fails in the middle fails the task in the agent's words", async () => {
    const events = [result(taskIn("working")), status("failed", says("no such city"))];
    const { call } = await streaming({ "message/stream": { events } });
    expect(await call().end).toMatchObject({ failure: { kind: "task_failed", data: { agent_says: "no such city" } } });
    const broken = await streaming({ "message/stream": { events: [result(taskIn("working")), errorOf(-32_603)] } });
    expect(await broken.call().end).toMatchObject({ failure: { kind: "rpc_error", code: -32_603 } });
  });

  test("gets a cancel request for a canceled task, and its stream is closed", async () => {
    const { agent, call, remoteIds } = await streaming({
      "message/stream": { events: [result(taskIn("working"))], ends: "hang" },
      "tasks/cancel": result(taskIn("canceled")),
    });
    const stop = new AbortController();
    const { end } = call({ signal: stop.signal });
    await expect.poll(() => remoteIds).toEqual(["remote-1"]);
    stop.abort(new AgentFailure("canceled", "The task was canceled."));
    await expect(end).rejects.toThrow("canceled");
    await expect.poll(() => agent.methods()).toEqual(["message/stream", "tasks/cancel"]);
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

  test("that are not JSON-RPC fail the task if no earlier event was valid", async () => {
    const { call } = await streaming({ "message/stream": { events: [{ jsonrpc: "1.0" }] } });
    expect(await call().end).toMatchObject({ failure: { kind: "invalid_envelope" } });
  });
});
