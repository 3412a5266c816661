import { createTokenBuckets } from "@crosszone/service-kit";
import { ownList } from "@crosszone/service-kit/json";
import { describe, expect, test } from "vitest";
import { builtinAdapters, createAdapters } from "../adapters/adapters.ts";
import { type ProtocolAdapter, ProtocolTranslationError } from "../protocol/protocol-adapter.ts";
import { doneWith, resultOf, newAgent, newAgentTask, taskIn } from "../testing/agent-record.ts";
import { type AnswerOfAgent, startAgent } from "../testing/http-agents.ts";
import { clientOf, startCall, virtualTime, answering, withoutCard, recordingEmit } from "../testing/start-call.ts";
import { errorOf, result, startCardedAgent, card, says, status } from "../testing/start-carded-agent.ts";
import { CircuitBreakers } from "./circuit-breakers.ts";
import { createAgentCaller } from "./create-agent-caller.ts";

const done: AnswerOfAgent = { body: resultOf(doneWith("done")) };
const unavailable: AnswerOfAgent = { status: 503, body: "" };

/** Returns the answers in order, then the last one forever. */
const inTurn =
  (...answers: AnswerOfAgent[]) =>
  (_: unknown, index: number): AnswerOfAgent =>
    answers[Math.min(index, answers.length - 1)] ?? done;

describe("a failed request", () => {
  test("R1.3, R1.8, R5.5, N4: 503, 503, 200 takes three calls with the same bytes, ids, correlation and trace, and succeeds", async () => {
    const agent = await startAgent(inTurn(unavailable, unavailable, done));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { end, time, eventsOf } = startCall({ agent: { url: agent.url }, options: { traceparent } });
    expect(await end).toMatchObject({ attempts: 3, failure: undefined, output: { text: "done" } });
    expect(agent.asked).toHaveLength(3);
    expect(time.pauses).toEqual([100, 200]);
    expect(eventsOf("agent_call_retried")).toHaveLength(2);
    expect(eventsOf("agent_call_ended")).toHaveLength(1);
    expect(new Set(agent.asked.map(({ text }) => text)).size).toBe(1);
    for (const { method, headers } of agent.asked) {
      expect(method).toBe("POST");
      expect(headers).toMatchObject({ "x-correlation-id": "c1", "idempotency-key": "r1/t1", traceparent });
    }
  });

  test("R5.5: ids with any characters reach the agent and break no header", async () => {
    const agent = await startAgent(() => ({ body: {} }));
    const task = { run_id: "r/1", task_id: "t\r\n1 ü", correlation_id: "c 1\u0000\ud800" };
    await startCall({ agent: { url: agent.url }, task }).end;
    expect(agent.asked[0]?.headers).toMatchObject({
      "x-correlation-id": "c%201%00%EF%BF%BD",
      "idempotency-key": "r%2F1/t%0D%0A1%20%C3%BC",
    });
  });

  test("B14, N4: without retries, one call is made", async () => {
    const agent = await startAgent(inTurn(unavailable, done));
    const { end } = startCall({ agent: { url: agent.url, retry: { max_retries: 0, base_ms: 1, max_ms: 1 } } });
    expect(await end).toMatchObject({ attempts: 1, output: null, failure: { kind: "http_unavailable", code: 503 } });
    expect(agent.asked).toHaveLength(1);
  });

  test("N4: transient errors, timeouts and connection failures are retried", async () => {
    const busy = { code: -32000, message: "busy", data: { retryable: true, retry_after_ms: 5_000 } };
    const agent = await startAgent(inTurn({ body: { jsonrpc: "2.0", id: "t1", error: busy } }, { hang: true }, done));
    const { end, time } = startCall({ agent: { url: agent.url, timeout_ms: 1_000 } });
    expect(await end).toMatchObject({ attempts: 3, failure: undefined });
    expect(time.pauses).toEqual([5_100, 200]);
    const gone = startCall({ agent: { url: "http://127.0.0.1:1/" } });
    expect(await gone.end).toMatchObject({ attempts: 3, failure: { kind: "unreachable" } });
  });

  test("N4: a Retry-After on a 429 is obeyed, in seconds and as a date, and years are cut to a day", async () => {
    const date = "Wed, 21 Oct 2015 07:28:00 GMT";
    const after = (headers: Record<string, string>) => ({ status: 429, headers, body: "" });
    const agent = await startAgent(
      inTurn(
        after({ "retry-after": "7" }),
        after({ date, "retry-after": "Wed, 21 Oct 2015 07:29:00 GMT" }),
        after({ "retry-after": "99999999999999999999" }),
        done,
      ),
    );
    const retry = { max_retries: 3, base_ms: 100, max_ms: 1_000 };
    const year = 366 * 86_400_000;
    const { end, time } = startCall({ agent: { url: agent.url, retry }, time: virtualTime(0), deadlineMs: year });
    expect(await end).toMatchObject({ attempts: 4, failure: undefined });
    expect(time.pauses).toEqual([7_000, 60_000, 86_400_000]);
  });

  test("N4: a Retry-After beyond the deadline ends the task at once with the agent's message", async () => {
    const agent = await startAgent(() => ({ status: 429, headers: { "retry-after": "3600" }, body: "slow down" }));
    const { end, time } = startCall({ agent: { url: agent.url } });
    expect(await end).toMatchObject({ attempts: 1, failure: { kind: "rate_limited", code: 429, data: "slow down" } });
    expect(time.pauses).toEqual([]);
  });

  test("B10: retries wait for a slot, so a broken agent is not flooded", async () => {
    const agent = await startAgent(inTurn(unavailable, unavailable, unavailable, done));
    const time = virtualTime(0);
    const retryTokens = createTokenBuckets({ capacity: 1, perMinute: 6, now: time.now });
    const retry = { max_retries: 3, base_ms: 1, max_ms: 1 };
    const { end } = startCall({ agent: { url: agent.url, retry }, time, deps: { retryTokens } });
    expect(await end).toMatchObject({ attempts: 4, failure: undefined });
    expect(time.pauses.filter((ms) => ms > 0)).toEqual([10_000, 10_000]);
  });

  test("B13: an open circuit refuses calls and names the failure that opened it", async () => {
    const agent = await startAgent(() => unavailable);
    const time = virtualTime();
    const breakers = new CircuitBreakers({ now: time.now });
    const shared = { time, deps: { breakers }, agent: { url: agent.url, breaker: { failures: 2, open_ms: 60_000 } } };
    expect(await startCall(shared).end).toMatchObject({ attempts: 2, failure: { kind: "http_unavailable" } });
    expect(await startCall(shared).end).toMatchObject({
      attempts: 0,
      failure: { kind: "circuit_open", retryable: false },
    });
    expect(agent.asked).toHaveLength(2);
  });

  test("B13: a task that the agent rejects, or answers with an error, counts as a sign of life", async () => {
    const failed = { jsonrpc: "2.0", id: "t1", error: { code: 1, message: "no" } };
    const agent = await startAgent(() => ({ body: failed }));
    const breakers = new CircuitBreakers();
    const shared = { deps: { breakers }, agent: { url: agent.url, breaker: { failures: 1, open_ms: 60_000 } } };
    for (let call = 0; call < 3; call += 1)
      expect(await startCall(shared).end).toMatchObject({ failure: { kind: "rpc_error" } });
    expect(breakers.readings()).toEqual([{ agent: "A", state: "closed" }]);
  });
});

describe("a caller", () => {
  test("D5: an input that an adapter cannot translate, or crashes on, is a translation error with its direction", async () => {
    const broken: ProtocolAdapter = {
      protocol: "broken",
      toRequest: ({ input_data }) => ({ input_data, cycle: input_data === "cycle" ? broken : 0n }),
      fromResponse: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const deps = {
      adapters: createAdapters({ ...builtinAdapters, broken: () => broken }),
      client: answering(() => "{}"),
    };
    const request = startCall({ deps, agent: { protocol: "broken" } });
    expect(await request.end).toMatchObject({ attempts: 1, failure: { kind: "invalid_task", direction: "request" } });
    const survives = { ...broken, toRequest: () => ({}) };
    const adapters = createAdapters({ ...builtinAdapters, broken: () => survives });
    const response = startCall({ deps: { ...deps, adapters }, agent: { protocol: "broken" } });
    const { failure } = await response.end;
    expect(failure).toBeInstanceOf(ProtocolTranslationError);
    expect(failure).toMatchObject({ kind: "internal", direction: "response", protocol: "broken", originalData: "{}" });
    expect(failure?.message).not.toContain("stack");
    expect(response.eventsOf("protocol_translation_error")).toHaveLength(1);
  });

  test("N3: an internal error of the client fails the task, and its text stays private", async () => {
    const client = { ...withoutCard, send: () => Promise.reject(new TypeError("x is not a function")) };
    const { failure } = await startCall({ deps: { client } }).end;
    expect(failure).toMatchObject({ kind: "internal", retryable: false, cause: expect.any(TypeError) });
    expect(JSON.stringify(failure)).not.toContain("not a function");
  });

  test("T5: aborting a call ends its pause, in real time too", async () => {
    const agent = await startAgent(() => ({ status: 503, headers: { "retry-after": "600" }, body: "" }));
    const stop = new AbortController();
    const { emit, eventsOf } = recordingEmit();
    const caller = createAgentCaller({
      adapters: createAdapters(),
      client: clientOf({ origins: [agent.url] }),
      breakers: new CircuitBreakers(),
      emit,
    });
    const options = { remoteId: undefined, onRemoteId: async () => undefined, traceparent: undefined };
    const ended = caller
      .call(newAgentTask(), newAgent({ url: agent.url }), {
        deadlineAt: Date.now() + 3_600_000,
        signal: stop.signal,
        ...options,
      })
      .catch((error: unknown) => error);
    await expect.poll(() => eventsOf("agent_call_retried").length).toBe(1);
    const reason = new Error("stopping");
    stop.abort(reason);
    expect(await ended).toBe(reason);
  });
});

const plainCard = { ...card, capabilities: {} };

describe("I11: an agent with side effects", () => {
  const acting = async (streamed: object) => {
    const agent = await startCardedAgent({
      card,
      answers: { "message/stream": streamed, "message/send": result(doneWith("done again")) },
    });
    const { failure } = await agent.call({ side_effects: true, timeout_ms: 1_000 });
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
    const { failure } = await agent.call({ side_effects: true, timeout_ms: 1_000 });
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
