import { createTokenBuckets } from "@crosszone/service-kit";
import { describe, expect, test } from "vitest";
import { createCircuitBreakers } from "../limits/circuit-breakers.ts";
import { doneWith, resultOf } from "../testing/agent-answers.ts";
import { type AnswerOfAgent, startAgent } from "../testing/http-agents.ts";
import { startCall, virtualTime } from "../testing/start-call.ts";

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
    const { end, time, observer } = startCall({ agent: { url: agent.url }, options: { traceparent } });
    expect(await end).toMatchObject({ attempts: 3, failure: undefined, output: { text: "done" } });
    expect(agent.asked).toHaveLength(3);
    expect(time.pauses).toEqual([100, 200]);
    expect(observer.eventsOf("retried")).toHaveLength(2);
    expect(observer.eventsOf("callEnded")).toHaveLength(1);
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

  test("N4, B15: permanent failures take one call: 400, 401, a JSON-RPC error, a broken envelope, no JSON", async () => {
    const error = { jsonrpc: "2.0", id: "t1", error: { code: -32602, message: "Invalid params" } };
    const answers: [kind: string, answer: AnswerOfAgent][] = [
      ["http_error", { status: 400, body: "no" }],
      ["unauthorized", { status: 401, body: "no" }],
      ["rpc_error", { body: error }],
      ["rpc_error", { status: 503, body: error }],
      ["invalid_envelope", { body: { ...error, id: "another" } }],
      ["not_json", { body: "<html>" }],
    ];
    for (const [kind, answer] of answers) {
      const agent = await startAgent(() => answer);
      expect(await startCall({ agent: { url: agent.url } }).end).toMatchObject({ attempts: 1, failure: { kind } });
      expect(agent.asked).toHaveLength(1);
    }
  });

  test("N4: transient errors, timeouts and connection failures are retried", async () => {
    const busy = { code: -32000, message: "busy", data: { retryable: true, retry_after_ms: 5_000 } };
    const agent = await startAgent(inTurn({ body: { jsonrpc: "2.0", id: "t1", error: busy } }, { hang: true }, done));
    const { end, time } = startCall({ agent: { url: agent.url, timeout_ms: 300 } });
    expect(await end).toMatchObject({ attempts: 3, failure: undefined });
    expect(time.pauses).toEqual([5_100, 200]);
    const gone = startCall({ agent: { url: "http://127.0.0.1:1/" } });
    expect(await gone.end).toMatchObject({ attempts: 3, failure: { kind: "unreachable" } });
  });

  test("N4: a Retry-After on a 429 is obeyed, in seconds and as a date", async () => {
    const date = "Wed, 21 Oct 2015 07:28:00 GMT";
    const inAMinute = { date, "retry-after": "Wed, 21 Oct 2015 07:29:00 GMT" };
    const agent = await startAgent(
      inTurn(
        { status: 429, headers: { "retry-after": "7" }, body: "" },
        { status: 429, headers: inAMinute, body: "" },
        done,
      ),
    );
    const { end, time } = startCall({ agent: { url: agent.url }, time: virtualTime(0) });
    expect(await end).toMatchObject({ attempts: 3, failure: undefined });
    expect(time.pauses).toEqual([7_000, 60_000]);
  });

  test("N4: a Retry-After beyond the deadline ends the task at once with the agent's message", async () => {
    const agent = await startAgent(() => ({ status: 429, headers: { "retry-after": "3600" }, body: "slow down" }));
    const { end, time } = startCall({ agent: { url: agent.url } });
    expect(await end).toMatchObject({ attempts: 1, failure: { kind: "rate_limited", code: 429, data: "slow down" } });
    expect(time.pauses).toEqual([]);
  });

  test("N4: a Retry-After of years is cut to a day", async () => {
    const agent = await startAgent(
      inTurn({ status: 429, headers: { "retry-after": "99999999999999999999" }, body: "" }, done),
    );
    const year = 366 * 86_400_000;
    const { end, time } = startCall({ agent: { url: agent.url }, time: virtualTime(0), deadlineMs: year });
    expect(await end).toMatchObject({ attempts: 2, failure: undefined });
    expect(time.pauses).toEqual([86_400_000]);
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
    const breakers = createCircuitBreakers({ now: time.now });
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
    const breakers = createCircuitBreakers();
    const shared = { deps: { breakers }, agent: { url: agent.url, breaker: { failures: 1, open_ms: 60_000 } } };
    for (let call = 0; call < 3; call += 1)
      expect(await startCall(shared).end).toMatchObject({ failure: { kind: "rpc_error" } });
    expect(breakers.readings()).toEqual([{ agent: "A", state: "closed" }]);
  });
});
