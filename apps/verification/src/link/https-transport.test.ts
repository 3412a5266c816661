import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { LinkError, type Transport } from "@crosszone/jsonrpc";
import { type Answer, answering, serve } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createStaticBearer, type LinkCredentials, type ProofHeaders } from "./credentials.ts";
import { createHttpsTransport, type HttpsTransportOptions } from "./https-transport.ts";

async function listen(answer: Answer): Promise<{ url: string; server: Server }> {
  const server = createServer(answering(answer));
  return { url: `${await serve(server)}/rpc?zone=1`, server };
}

async function connect(answer: Answer, options: Partial<HttpsTransportOptions> = {}): Promise<Transport> {
  const { url } = await listen(answer);
  const transport = createHttpsTransport({ url, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

const sending = { timeoutMs: 2_000, session: "session-1", correlationId: "corr-1" };
const message = Buffer.from('{"jsonrpc":"2.0","method":"list_agents","params":{},"id":"é"}');
const send = (transport: Transport, more: object = {}): Promise<Uint8Array> =>
  transport.send(message, { ...sending, ...more });
const failure = async (promise: Promise<unknown>): Promise<LinkError> => {
  const error = await promise.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LinkError);
  return error as LinkError;
};
const json =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(body);
  };
const rpcError = '{"jsonrpc":"2.0","error":{"code":-32014,"message":"Unauthorized"},"id":null}';

describe("the request", () => {
  test("the message unchanged, by POST, with token, session and correlation id, over a reused connection", async () => {
    const requests: {
      method: string | undefined;
      url: string | undefined;
      headers: IncomingMessage["headers"];
      body: string;
      port: number | undefined;
    }[] = [];
    const transport = await connect(
      async (request, response) => {
        const { method, url, headers, socket } = request;
        requests.push({ method, url, headers, body: await text(request), port: socket.remotePort });
        response.setHeader("content-type", "application/json").end('{"ok":"✓"}');
      },
      { credentials: createStaticBearer({ current: () => "a-token", reread: () => "a-token" }) },
    );
    expect(Buffer.from(await send(transport)).toString()).toBe('{"ok":"✓"}');
    // The connection becomes free a moment after the answer is complete.
    await vi.waitFor(async () => {
      await send(transport);
      expect(new Set(requests.map(({ port }) => port)).size).toBeLessThan(requests.length);
    });
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: "/rpc?zone=1",
      body: message.toString(),
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        authorization: "Bearer a-token",
        "x-correlation-id": "corr-1",
        "x-session-id": "session-1",
      },
    });
  });

  test("to another machine only with TLS", () => {
    expect(() => createHttpsTransport({ url: "http://execution.example.com/rpc" })).toThrow(TypeError);
    for (const url of ["https://execution.example.com/rpc", "http://[::1]:4000/rpc", "http://localhost:4000/rpc"])
      expect(() => void createHttpsTransport({ url }).close()).not.toThrow();
  });
});

describe("E4: the response", () => {
  test.each([401, 413, 429, 503])("a JSON-RPC error with status %i is passed on", async (status) => {
    const transport = await connect(json(status, rpcError));
    expect(Buffer.from(await send(transport)).toString()).toBe(rpcError);
  });

  test.each([
    ["a JSON-RPC error with 408", 408, "application/json", rpcError, "unreachable", true],
    ["HTML with 502", 502, "text/html", "<h1>Bad Gateway</h1>", "unreachable", true],
    ["HTML with 503", 503, "text/html", "", "unreachable", true],
    ["HTML with 504", 504, "text/html", "", "timeout", true],
    ["text with 429", 429, "text/plain", "slow down", "invalid_response", true],
    ["HTML with 404", 404, "text/html", "<h1>Not Found</h1>", "invalid_response", false],
    ["HTML with 200", 200, "text/html", "<h1>Sign in</h1>", "invalid_response", false],
    ["JSON that is not JSON-RPC with 500", 500, "application/json", '{"message":"oops"}', "invalid_response", false],
    ["truncated JSON with 500", 500, "application/json", '{"jsonrpc":"2.0","err', "invalid_response", false],
    ["no content", 204, "application/json", "", "invalid_response", false],
    ["a redirect", 307, "application/json", rpcError, "invalid_response", false],
  ])("%s is %s", async (...[, status, type, body, kind, retryable]) => {
    let requests = 0;
    const transport = await connect((_request, response) => {
      requests += 1;
      response.writeHead(status, { "content-type": type, location: "/elsewhere" }).end(body);
    });
    expect(await failure(send(transport))).toMatchObject({ kind, retryable, httpStatus: status });
    expect(requests).toBe(1);
  });

  test("an oversized answer is aborted", async () => {
    const transport = await connect(json(200, `"${"x".repeat(5_000)}"`), { maxBytes: 4_000 });
    expect(await failure(send(transport))).toMatchObject({ kind: "invalid_response" });
    const endless = await connect(
      (_request, response) => {
        response.setHeader("content-type", "application/json");
        const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
        response.once("close", () => clearInterval(timer));
      },
      { maxBytes: 4_000 },
    );
    expect(await failure(send(endless))).toMatchObject({ kind: "invalid_response" });
  });
});

describe("expired credentials", () => {
  const changing = (renews: boolean): LinkCredentials & { given: number; refused: string[] } => {
    const credentials = {
      given: 0,
      refused: [] as string[],
      headers: async () => ({ authorization: `Bearer ${(credentials.given += 1)}` }),
      invalidate: ({ authorization = "" }: ProofHeaders) => {
        credentials.refused.push(authorization);
        return renews;
      },
    };
    return credentials;
  };
  const counting = (statuses: number[]): { seen: unknown[]; listener: RequestListener } => {
    const seen: unknown[] = [];
    return {
      seen,
      listener: (request, response) => {
        seen.push(request.headers.authorization);
        json(statuses[seen.length - 1] ?? 401, rpcError)(request, response);
      },
    };
  };

  test("S15: a 401 is retried once with new credentials, never twice", async () => {
    for (const [statuses, answers] of [
      [
        [401, 200],
        ["Bearer 1", "Bearer 2"],
      ],
      [
        [401, 401, 200],
        ["Bearer 1", "Bearer 2"],
      ],
      [[429], ["Bearer 1"]],
    ] as const) {
      const { seen, listener } = counting([...statuses]);
      const transport = await connect(listener, { credentials: changing(true) });
      expect(Buffer.from(await send(transport)).toString()).toBe(rpcError);
      expect(seen).toEqual(answers);
    }
  });

  test("without credentials no request is sent: unreachable when they fail, a timeout when they don't arrive", async () => {
    const { seen, listener } = counting([200]);
    const cause = new Error("no metadata server");
    const failing = { headers: () => Promise.reject(cause), invalidate: () => false };
    const error = await failure(send(await connect(listener, { credentials: failing })));
    expect(error).toMatchObject({ kind: "unreachable", retryable: true, cause });
    const silent = { headers: () => new Promise<never>(() => undefined), invalidate: () => false };
    const transport = await connect(listener, { credentials: silent });
    expect(await failure(send(transport, { timeoutMs: 50 }))).toMatchObject({ kind: "timeout" });
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await failure(send(transport, { signal }))).toMatchObject({ kind: "aborted" });
    expect(seen).toEqual([]);
  });
});

test("headers and session follow the host's conventions; the contract's headers take precedence", async () => {
  const seen: IncomingMessage[] = [];
  const { url } = await listen((request, response) => (seen.push(request), json(200, "{}")(request, response)));
  const headers = { "foundry-features": "HostedAgents=V1Preview", "content-type": "text/plain" };
  const transport = createHttpsTransport({ url: `${url}&agent_session_id={session}`, headers });
  onTestFinished(() => transport.close());
  await send(transport, { session: "a b&c" });
  expect(seen[0]?.url).toBe("/rpc?zone=1&agent_session_id=a%20b%26c");
  expect(seen[0]?.headers).toMatchObject({
    "foundry-features": "HostedAgents=V1Preview",
    "content-type": "application/json",
    "x-session-id": "a b&c",
  });
});

describe("E4: no response", () => {
  test("a refused or dropped connection or a cut answer is unreachable, and sent once", async () => {
    const { url, server } = await listen(() => undefined);
    server.close();
    const nobody = createHttpsTransport({ url });
    onTestFinished(() => nobody.close());
    expect(await failure(send(nobody))).toMatchObject({ kind: "unreachable", retryable: true });

    let requests = 0;
    const dropping = await connect((request) => {
      requests += 1;
      request.socket.destroy();
    });
    expect(await failure(send(dropping))).toMatchObject({ kind: "unreachable" });
    expect(requests).toBe(1);
    const cutting = await connect((request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("{", () => request.socket.destroy());
    });
    expect(await failure(send(cutting))).toMatchObject({ kind: "unreachable" });
  });

  test("silence before or within the answer is a timeout", async () => {
    const silent = await connect(() => undefined);
    expect(await failure(send(silent, { timeoutMs: 50 }))).toMatchObject({ kind: "timeout", retryable: true });
    const stuck = await connect((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    expect(await failure(send(stuck, { timeoutMs: 50 }))).toMatchObject({ kind: "timeout" });
  });
});

const note = (n: number): string => `{"jsonrpc":"2.0","method":"task_event","params":{"n":${n}}}`;
const events = [
  ...[1, 2].map((n) => `data: ${note(n)}\n\n`),
  ":\n\n",
  'data: {"jsonrpc":"2.0","result":1,"id":"é"}\n\n',
];
const streaming =
  (pieces: readonly string[], cut = false): RequestListener =>
  ({ headers }, response) => {
    const isTaken = headers.accept?.includes("text/event-stream") === true;
    response.writeHead(isTaken ? 200 : 406, { "content-type": "text/event-stream; charset=utf-8" });
    for (const piece of pieces) response.write(piece);
    if (cut) setImmediate(() => response.destroy());
    else response.end();
  };
const listening = (): { heard: string[]; onNotification: (message: Uint8Array) => void } => {
  const heard: string[] = [];
  return { heard, onNotification: (bytes) => heard.push(Buffer.from(bytes).toString()) };
};

test("the last event is the answer, and earlier events are passed on as they arrive", async () => {
  const { heard, onNotification } = listening();
  const answer = await send(await connect(streaming(events)), { onNotification });
  expect(JSON.parse(Buffer.from(answer).toString())).toEqual({ jsonrpc: "2.0", result: 1, id: "é" });
  expect(heard).toEqual([note(1), note(2)]);
});

test.each([
  ["cut off", true, "unreachable"],
  ["ended too early", false, "invalid_response"],
] as const)("a message whose stream is %s can be sent again", async (_how, cut, kind) => {
  const { heard, onNotification } = listening();
  expect(await failure(send(await connect(streaming(events.slice(0, 2), cut)), { onNotification }))).toMatchObject({
    kind,
    retryable: true,
  });
  expect(heard).toEqual([note(1), note(2)]);
});

test("one event can be as large as an answer, and no larger", async () => {
  const endless = await connect(streaming([`data: ${"x".repeat(5_000)}\n\n`]), { maxBytes: 4_000 });
  const error = await failure(send(endless, listening()));
  expect(error).toMatchObject({ kind: "invalid_response", retryable: false });
});
