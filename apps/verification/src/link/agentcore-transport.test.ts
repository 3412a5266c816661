import { LinkError, type SendOptions } from "@crosszone/jsonrpc";
import { retry, systemClock } from "@crosszone/service-kit/timing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { zoneRetryAfter } from "./zone-link.ts";
import { startAgentCore, type TestAgentCore } from "../testing/start-agentcore.ts";
import { createAgentCoreTransport } from "./agentcore-transport.ts";

const runtimeArn = "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/zone-0123456789";
const session = "0f8fad5b-d9cb-469f-a165-70867728950e";
const sending = { timeoutMs: 10_000, session, correlationId: "corr 1/é" };
const message = Buffer.from('{"jsonrpc":"2.0","method":"list_agents","params":{},"id":"é"}');
const ask = async ({ transport }: TestAgentCore, more: Partial<SendOptions> = {}): Promise<string> =>
  Buffer.from(await transport.send(message, { ...sending, ...more })).toString();

const failure = async (promise: Promise<unknown>): Promise<LinkError> => {
  const error = await promise.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LinkError);
  return error as LinkError;
};

describe("the request", () => {
  test("Z11: the request's bytes are the whole payload, signed, in the session of the task", async () => {
    const arn = `${runtimeArn}/runtime-endpoint/prod`;
    const zone = await startAgentCore({ arn, standIn: { runtimeArn, qualifiers: ["prod"] } });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    expect(await ask(zone, { traceparent })).toBe(message.toString());
    expect(zone.aws.refused).toEqual([]);
    expect(zone.aws.calls).toMatchObject([{ session, qualifier: "prod", status: 200 }]);
    expect(Buffer.from(zone.aws.calls[0]?.payload ?? []).equals(message)).toBe(true);
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = zone.received;
    expect({ path, body }).toEqual({ path: "/invocations", body: message.toString() });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      "x-amzn-bedrock-agentcore-runtime-session-id": session,
      baggage: "correlation_id=corr%201%2F%C3%A9",
      traceparent,
    });
    expect(headers).not.toHaveProperty("authorization");
  });

  test("Z11: all calls of a session share one runtimeSessionId of 33 to 256 characters", async () => {
    const zone = await startAgentCore();
    const sessions = [
      session,
      session,
      "short",
      "short",
      "x".repeat(300),
      "with spaces, and more than thirty-three",
      "é",
    ];
    for (const each of sessions) await ask(zone, { session: each });
    const ids = zone.aws.calls.map((call) => call.session);
    expect(ids.slice(0, 2)).toEqual([session, session]);
    expect(ids[2]).toBe(ids[3]);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{33,256}$/);
  });

  test("only a runtime's ARN is accepted, and another machine only with TLS", () => {
    const options = { arn: "arn:aws:bedrock-agentcore:us-east-1:1:runtime/x", retryBudgetMs: 0 };
    expect(() => createAgentCoreTransport(options)).toThrow(TypeError);
    const endpoint = "http://agentcore.example.com";
    expect(() => createAgentCoreTransport({ ...options, arn: runtimeArn, endpoint })).toThrow(TypeError);
  });

  test.each([429, 409, 500] as const)(
    "Z11: when the budget is spent, the caller does not repeat %i",
    async (refuse) => {
      const zone = await startAgentCore({ retryBudgetMs: 60, firstPauseMs: 40 });
      zone.aws.next(...Array.from({ length: 200 }, () => ({ refuse })));
      expect(await failure(ask(zone))).toMatchObject({ kind: "unreachable", httpStatus: refuse, retryable: false });
      expect(zone.aws.calls.length).toBeLessThan(200);
    },
  );

  test("the budget is never longer than the call's timeout", async () => {
    // The pause would be nine tenths of five seconds.
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    onTestFinished(() => void vi.restoreAllMocks());
    const zone = await startAgentCore({ retryBudgetMs: 60_000, firstPauseMs: 20_000 });
    zone.aws.next({ refuse: 429 }, { refuse: 429 }, { refuse: 429 });
    expect((await failure(ask(zone, { timeoutMs: 1_000 }))).retryable).toBe(false);
  });

  test("AWS reports a failed container as 424, and the caller can repeat a gateway's 503", async () => {
    const zone = await startAgentCore({ container: (_request, response) => response.writeHead(500).end() });
    expect(await failure(ask(zone))).toMatchObject({ kind: "server_error", httpStatus: 424 });
    zone.aws.next({ status: 503, contentType: "text/html", body: "<h1>oops</h1>" });
    expect(await failure(ask(zone))).toMatchObject({ kind: "unreachable", httpStatus: 503, retryable: true });
    expect(zone.aws.calls).toHaveLength(2);
  });

  test("L2: neither a wrong secret nor a wrong clock is retried, and no secret is in the error", async () => {
    for (const standIn of [{ now: () => Date.now() + 3_600_000 }, {}]) {
      const zone = await startAgentCore({ standIn });
      if (!standIn.now) vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another-secret");
      const error = await failure(ask(zone));
      expect(error).toMatchObject({ kind: "unreachable", httpStatus: 403, retryable: false });
      expect(zone.aws.refused).toHaveLength(1);
      expect(zone.aws.refused[0]?.name).toBe("InvalidSignatureException");
      const told = `${error.message} ${error.stack} ${String((error.cause as Error).stack)}`;
      expect(told).toContain("InvalidSignatureException");
      for (const secret of [zone.aws.credentials.sessionToken, zone.aws.credentials.secretAccessKey, "another-secret"])
        expect(told).not.toContain(secret);
    }
  });

  test("without credentials no request is sent", async () => {
    const zone = await startAgentCore();
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) vi.stubEnv(name, undefined);
    expect(await failure(ask(zone))).toMatchObject({ kind: "unreachable" });
    expect(zone.aws.calls).toEqual([]);
  });
});

describe("the response", () => {
  test.each([
    ["HTML", { contentType: "text/html", body: "<h1>Sign in</h1>" }],
    ["nothing", { body: "" }],
    ["binary data", { contentType: "application/octet-stream", body: "\u0000" }],
  ])("%s is not an answer", async (_name, behavior) => {
    const zone = await startAgentCore();
    zone.aws.next(behavior);
    expect(await failure(ask(zone))).toMatchObject({ kind: "invalid_response", retryable: false });
  });

  test("the notifications of an event stream are passed on, and its last response is the answer", async () => {
    const zone = await startAgentCore();
    const events = [
      'data: {"jsonrpc":"2.0","method":"progress","params":{"n":"é"}}\n\n',
      'data: {"result":1,',
      '"id":1}\n\n: still here\n\n',
      'data: {"result":2,\ndata: "id":1}\n\n',
    ];
    zone.aws.next({ contentType: "text/event-stream; charset=utf-8", body: events });
    const seen: string[] = [];
    const answer = await ask(zone, { onNotification: (bytes) => seen.push(Buffer.from(bytes).toString()) });
    expect(JSON.parse(answer)).toEqual({ result: 2, id: 1 });
    expect(seen).toEqual(['{"jsonrpc":"2.0","method":"progress","params":{"n":"é"}}']);
  });

  test.each(["application/json", "text/event-stream"])("an endless answer of %s is aborted", async (endless) => {
    const zone = await startAgentCore({ maxBytes: 4_000 });
    zone.aws.next(
      endless === "application/json" ? { endless } : { contentType: endless, body: `data: ${"x".repeat(5_000)}` },
    );
    expect(await failure(ask(zone))).toMatchObject({ kind: "invalid_response", retryable: false });
  });
});

describe("no response", () => {
  test.each(["before", "within"] as const)(
    "silence %s the answer is a timeout that the caller can retry",
    async (silent) => {
      const zone = await startAgentCore();
      zone.aws.next({ silent });
      expect(await failure(ask(zone, { timeoutMs: 500 }))).toMatchObject({ kind: "timeout", retryable: true });
      expect(await ask(zone)).toBe(message.toString());
    },
  );

  test.each(["before", "within"] as const)(
    "a connection that breaks %s the answer is unreachable, and sent once",
    async (cut) => {
      const zone = await startAgentCore();
      zone.aws.next({ cut });
      expect(await failure(ask(zone))).toMatchObject({ kind: "unreachable", retryable: true });
      expect(zone.aws.calls).toHaveLength(1);
    },
  );
});

describe("Z11, L2: one owner for each retry", () => {
  const budgets = { firstMs: 5, longestMs: 10, budgetMs: 1_000, clock: systemClock, retryAfter: zoneRetryAfter };
  const askPatiently = async (zone: TestAgentCore): Promise<{ error: unknown; callersOwn: number }> => {
    let callersOwn = 0;
    const error = await failure(retry(() => ask(zone), { ...budgets, onRetry: () => (callersOwn += 1) }));
    return { error, callersOwn };
  };

  test("Z11: the caller does not repeat what the transport repeats, so attempts do not multiply", async () => {
    const onRetry = vi.fn<() => void>();
    const zone = await startAgentCore({ retryBudgetMs: 500, firstPauseMs: 20, onRetry });
    zone.aws.next(...Array.from({ length: 500 }, () => ({ refuse: 429 }) as const));
    const { error, callersOwn } = await askPatiently(zone);
    expect(error).toMatchObject({ httpStatus: 429 });
    expect(callersOwn).toBe(0);
    expect(zone.aws.calls).toHaveLength(onRetry.mock.calls.length + 1);
  });

  test("L2: the transport does not repeat what the caller repeats", async () => {
    const zone = await startAgentCore();
    zone.aws.next(...Array.from({ length: 500 }, () => ({ status: 503, body: "{}" })));
    const { error, callersOwn } = await askPatiently(zone);
    expect(error).toMatchObject({ httpStatus: 503 });
    expect(callersOwn).toBeGreaterThan(0);
    expect(zone.aws.calls).toHaveLength(callersOwn + 1);
  });
});
