import { describe, expect, test } from "vitest";
import { doneWith } from "../testing/agent-answers.ts";
import { result } from "../testing/start-carded-agent.ts";
import { card10, ids, status, said10, task10, showing10, status10, streaming } from "../testing/stream-events.ts";

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

  test("a stream that breaks between messages is no answer, and one that stays open is one after the timeout", async () => {
    const broken = { events: tokens.slice(0, 2), ends: "cut" as const };
    const { agent, call } = await streaming({ "message/stream": broken, "message/send": result(doneWith("whole")) });
    expect(await call().end).toMatchObject({ output: { text: "whole" } });
    expect(agent.methods()).toEqual(["message/stream", "message/send"]);
    const open = await streaming({ "message/stream": { events: tokens, ends: "hang" } }, { timeout_ms: 300 });
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
    const user = { role: "ROLE_USER", messageId: "u", parts: [{ text: "?" }] };
    const agentSaid = said10("It is 42.").message;
    const polled = (history: readonly object[]) =>
      streaming(
        { SendMessage: result({ task: { ...task10("completed"), history } }) },
        {
          card: { ...card10, capabilities: {} },
        },
      );
    const now = await polled([user, agentSaid]);
    expect((await now.call().end).output).toEqual({ response: "It is 42.", context_id: "ctx-1" });
    const earlier = await polled([user, agentSaid, user]);
    expect((await earlier.call().end).output).toMatchObject({ response_source: "history" });
  });
});
