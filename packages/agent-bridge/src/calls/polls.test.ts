import { describe, expect, test } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { doneWith, resultOf, taskIn } from "../testing/agent-record.ts";
import { startAgent, type AgentAsked, type AnswerOfAgent } from "../testing/http-agents.ts";
import { startCall } from "../testing/start-call.ts";

const working: AnswerOfAgent = { body: resultOf(taskIn("working")) };
const done: AnswerOfAgent = { body: resultOf(doneWith("done")) };
const methods = (asked: readonly AgentAsked[]): unknown[] => asked.map(({ body }) => body.method);

describe("a task that the agent is working on", () => {
  test("R2.10, R5.5: is polled with growing intervals until it ends, after its id is stored, with the same correlation and trace", async () => {
    const happened: string[] = [];
    const agent = await startAgent(({ body }, index) => {
      happened.push(String(body.method));
      return index < 9 ? working : done;
    });
    const onRemoteId = async (remoteId: string): Promise<void> => {
      await new Promise(setImmediate);
      happened.push(`kept ${remoteId}`);
    };
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { end, time } = startCall({ agent: { url: agent.url }, options: { onRemoteId, traceparent } });
    expect(await end).toMatchObject({ attempts: 1, failure: undefined, output: { text: "done" } });
    expect(happened).toEqual(["message/send", "kept remote-1", ...Array.from({ length: 9 }, () => "tasks/get")]);
    expect(agent.asked[1]?.body).toEqual({ jsonrpc: "2.0", id: "t1", method: "tasks/get", params: { id: "remote-1" } });
    expect(time.pauses).toEqual([187, 281, 421, 632, 949, 1_423, 2_135, 3_203, 3_750]);
    for (const { headers } of agent.asked) expect(headers).toMatchObject({ "x-correlation-id": "c1", traceparent });
    expect(new Set(agent.asked.map(({ headers }) => headers["idempotency-key"]))).toEqual(
      new Set(["r1/t1", undefined]),
    );
  });

  test("I4: a message that answers a question is polled until the agent has read it", async () => {
    const asks = (messageId: string, text: string): AnswerOfAgent => {
      const message = { kind: "message", role: "agent", messageId, parts: [{ kind: "text", text }] };
      return { body: resultOf(taskIn("input-required", { status: { state: "input-required", message } })) };
    };
    const [which, when] = [asks("q1", "Which city?"), asks("q2", "Which day?")];
    const happened = async (answers: readonly AnswerOfAgent[]): Promise<unknown> => {
      const agent = await startAgent((_, index) => answers[index] ?? done);
      const { failure, output } = await startCall({ agent: { url: agent.url }, task: { open_task_id: "remote-1" } })
        .end;
      const said = failure === undefined ? output : failure.data;
      return { methods: methods(agent.asked), said };
    };
    expect(await happened([which, which, which, done])).toMatchObject({
      methods: ["tasks/get", "message/send", "tasks/get", "tasks/get"],
      said: { text: "done" },
    });
    expect(await happened([which, when])).toMatchObject({
      methods: ["tasks/get", "message/send"],
      said: { agent_says: "Which day?" },
    });
    const unsaid = (timestamp: string): AnswerOfAgent => ({
      body: resultOf(taskIn("input-required", { status: { state: "input-required", timestamp } })),
    });
    expect(await happened([unsaid("t1"), unsaid("t1"), unsaid("t2")])).toMatchObject({
      methods: ["tasks/get", "message/send", "tasks/get"],
    });
    expect(await happened([which, working, which, when])).toMatchObject({
      methods: ["tasks/get", "message/send", "tasks/get", "tasks/get"],
      said: { agent_says: "Which day?" },
    });
  });

  test("N4: a transient poll failure never ends the task; a permanent one does", async () => {
    const away = [503, 429, 502, 503, 500, 503].map((status) => ({ status, body: "" }));
    const agent = await startAgent((_, index) => (index === 0 ? working : (away[index - 1] ?? done)));
    const { end, eventsOf } = startCall({
      agent: {
        url: agent.url,
        breaker: { failures: 3, open_ms: 20_000 },
        retry: { max_retries: 0, base_ms: 1, max_ms: 1 },
      },
    });
    expect(await end).toMatchObject({ attempts: 1, failure: undefined });
    expect(eventsOf("agent_call_retried").length).toBeGreaterThanOrEqual(away.length);
    const invalid = { jsonrpc: "2.0", id: "t1", error: { code: -32602, message: "Invalid params" } };
    const refusing = await startAgent((_, index) => (index === 0 ? working : { body: invalid }));
    const ended = startCall({ agent: { url: refusing.url } });
    expect(await ended.end).toMatchObject({ failure: { kind: "rpc_error", code: -32602 } });
  });

  test.each([200, 500])(
    "I12: a task that a restarted agent had lost was polled for half a minute: it ends at once (HTTP %i)",
    async (status) => {
      const unknown = { jsonrpc: "2.0", id: "t1", error: { code: -32001, message: "Task not found" } };
      const away: AnswerOfAgent = { status: 503, body: "" };
      const restarted: AnswerOfAgent = { status, body: unknown };
      const agent = await startAgent((_, index) => (index === 0 ? working : index < 7 ? away : restarted));
      const breaker = { failures: 3, open_ms: 30_000 };
      const { end, time } = startCall({ agent: { url: agent.url, breaker } });
      expect(await end).toMatchObject({ attempts: 1, failure: { kind: "task_lost", code: -32001, retryable: false } });
      expect(agent.asked).toHaveLength(8);
      expect(Math.max(...time.pauses)).toBeLessThan(5_000);
    },
  );

  test("I9: an agent that is polled says its answer in its last progress message", async () => {
    const message = { kind: "message", role: "agent", messageId: "m", parts: [{ kind: "text", text: "It is\n42." }] };
    const says: AnswerOfAgent = { body: resultOf(taskIn("working", { status: { state: "working", message } })) };
    const silent: AnswerOfAgent = { body: resultOf(taskIn("completed")) };
    const agent = await startAgent((_, index) => [working, says, working][index] ?? silent);
    const { output } = await startCall({ agent: { url: agent.url } }).end;
    expect(output).toMatchObject({ response: "It is\n42." });
  });

  test("R2.10: fails at the deadline, and the agent gets a cancel request", async () => {
    const agent = await startAgent(({ body }) =>
      body.method === "tasks/cancel" ? { body: resultOf(taskIn("canceled")) } : working,
    );
    const { end, eventsOf, time } = startCall({ agent: { url: agent.url }, deadlineMs: 10_000 });
    expect(await end).toMatchObject({ output: null, failure: { kind: "deadline_exceeded", retryable: false } });
    expect(time.pauses.reduce((sum, ms) => sum + ms)).toBe(10_000);
    const asked = agent.asked.length + (methods(agent.asked).includes("tasks/cancel") ? 0 : 1);
    await agent.askedTimes(asked);
    expect(agent.asked.at(-1)?.body).toMatchObject({ method: "tasks/cancel", params: { id: "remote-1" } });
    expect(eventsOf("agent_cancel_failed")).toEqual([]);
  });

  test("R2.10: a call that the deadline cuts off is a timeout, and does not count against the agent", async () => {
    const agent = await startAgent(() => ({ hang: true }));
    const { end } = startCall({
      agent: { url: agent.url, breaker: { failures: 1, open_ms: 1_000 } },
      deadlineMs: 1_000,
    });
    expect(await end).toMatchObject({ attempts: 1, failure: { kind: "deadline_exceeded" } });
  });

  test("R2.10: is not polled if its id cannot be stored: the call rejects with the reason", async () => {
    const agent = await startAgent(() => working);
    const lost = new Error("no database");
    const { end } = startCall({ agent: { url: agent.url }, options: { onRemoteId: () => Promise.reject(lost) } });
    await expect(end).rejects.toBe(lost);
    expect(methods(agent.asked)).toEqual(["message/send"]);
  });
});

describe("an aborted call", () => {
  test.each(["send", "poll"])("T5: rejects with the reason while the agent hangs in a %s", async (phase) => {
    const hanging = phase === "send" ? 0 : 1;
    const agent = await startAgent(({ body }, index) => {
      if (body.method === "tasks/cancel") return { body: resultOf(taskIn("canceled")) };
      return index === hanging ? { hang: true } : working;
    });
    const stop = new AbortController();
    const { end, eventsOf } = startCall({ agent: { url: agent.url }, options: { signal: stop.signal } });
    // Observed from the start: an unhandled rejection ends the process.
    const ended = end.catch((error: unknown) => error);
    await agent.askedTimes(hanging + 1);
    stop.abort(new AgentFailure("canceled", "The task was canceled."));
    expect(await ended).toMatchObject({ kind: "canceled" });
    expect(eventsOf("agent_call_aborted")).toHaveLength(1);
    expect(eventsOf("agent_call_ended")).toHaveLength(0);
    if (phase === "send") return;
    await agent.askedTimes(3);
    expect(agent.asked[2]?.body).toMatchObject({ method: "tasks/cancel", params: { id: "remote-1" } });
  });

  test("B12: sends no cancel request if another process continues the task", async () => {
    const agent = await startAgent((_, index) => (index === 0 ? working : { hang: true }));
    const stop = new AbortController();
    const { end, eventsOf } = startCall({ agent: { url: agent.url }, options: { signal: stop.signal } });
    const reason = new Error("taken over");
    const ended = end.catch((error: unknown) => error);
    await agent.askedTimes(2);
    stop.abort(reason);
    expect(await ended).toBe(reason);
    expect(eventsOf("protocol_request_translation")).not.toContainEqual(
      expect.objectContaining({ operation: "cancel" }),
    );
  });

  test.each([
    [0, "is over already", -32_002],
    [1, "cannot be stopped", -32_004],
  ])("B12: logs %i lines if the agent answers that the task %s", async (lines, _says, code) => {
    const refused = { body: { jsonrpc: "2.0", id: "t1", error: { code, message: "no" } } };
    const agent = await startAgent(({ body }) => (body.method === "tasks/cancel" ? refused : working));
    const { end, eventsOf } = startCall({ agent: { url: agent.url }, deadlineMs: 1_000 });
    await end;
    const read = () => eventsOf("protocol_response_translation");
    const ofCancel = expect.objectContaining({ operation: "cancel" }) as unknown;
    await expect.poll(read).toContainEqual(ofCancel);
    expect(eventsOf("agent_cancel_failed")).toHaveLength(lines);
  });
});
