import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect, test, vi } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import type { AgentOptions, Handler } from "./agent-definition.ts";
import { type AgentServer, createAgent } from "./create-agent.ts";
import { eventStream } from "./answer-http.ts";
import { createTaskReader, createTaskRecord } from "./tasks/task-record.ts";
import { clientOf, messageOf } from "./testing/client-of.ts";

const agentOf = (options: Partial<AgentOptions> = {}, handler: Handler = () => "done"): AgentServer =>
  createAgent({ name: "Word counter", description: "Counts words.", ...options }, handler);

const bodyOf = (members: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: "a", method: "SendMessage", params: { message: messageOf("hi") }, ...members });

test("the card is complete for both versions, can be cached, and has the URL of its request", async () => {
  const client = clientOf(
    agentOf({ skills: [{ name: "Count words!", examples: ["How many?"] }], iconUrl: "https://a/i" }),
  );
  const response = await client.get("/below/.well-known/agent-card.json");
  const url = "http://agent.test/below/";
  expect(await response.json()).toEqual({
    name: "Word counter",
    description: "Counts words.",
    version: "1.0.0",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain"],
    skills: [
      {
        id: "count-words",
        name: "Count words!",
        description: "Counts words.",
        tags: ["agent"],
        examples: ["How many?"],
      },
    ],
    iconUrl: "https://a/i",
  });
  expect(response.headers.get("cache-control")).toBe("private, max-age=60");
  expect(Date.parse(response.headers.get("last-modified") ?? "")).toBeGreaterThan(0);
  const etag = response.headers.get("etag") ?? "";
  const again = await client.get("/below/.well-known/agent-card.json", { "if-none-match": etag });
  expect(again.status).toBe(304);
});

test("the URL of the options is in the card, which shared caches can then store", async () => {
  const client = clientOf(agentOf({ url: "https://agents.example.com/a" }));
  const response = await client.get("/.well-known/agent-card.json");
  expect(await response.json()).toMatchObject({ url: "https://agents.example.com/a" });
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
});

test("with tokens, the card is public, wrong tokens get 401, and each token sees only its own tasks", async () => {
  const agent = agentOf({ token: ["first-token", "second-token"] });
  const bearer = (token: string) => clientOf(agent, { authorization: `Bearer ${token}` });
  const card = (await (await clientOf(agent).get("/.well-known/agent-card.json")).json()) as object;
  expect(card).toMatchObject({
    securitySchemes: { bearer: { type: "http", httpAuthSecurityScheme: { scheme: "bearer" } } },
    security: [{ bearer: [] }],
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  });
  for (const client of [clientOf(agent), bearer("first-tokem"), bearer("first")]) {
    const refused = await client.open("GetTask", { id: "x" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32000 } });
  }
  const { id } = await bearer("first-token").send("hi");
  const other = bearer("second-token");
  const unknown = (await other.call("GetTask", { id: "no-such-task" })).error;
  for (const method of ["GetTask", "CancelTask", "SubscribeToTask"])
    expect((await other.call(method, { id })).error).toEqual(unknown);
  const message = messageOf("more", { taskId: id });
  expect((await other.call("SendMessage", { message })).error).toEqual(unknown);
  expect((await other.call("ListTasks", {})).result.tasks).toEqual([]);
});

test("authenticate names the caller for the handler", async () => {
  const agent = agentOf(
    { authenticate: ({ headers }) => (headers.get("x-api-key") === "k1" ? "ann" : undefined) },
    ({ caller }) => caller,
  );
  const answer = await clientOf(agent, { "x-api-key": "k1" }).send("hi");
  expect(answer.artifacts[0].parts).toEqual([{ text: "ann" }]);
  expect((await clientOf(agent).open("ListTasks", {})).status).toBe(401);
});

test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, [number, number]]>([
  ["another content type", bodyOf({}), { "content-type": "text/plain" }, [415, -32005]],
  ["a body that is too large", bodyOf({ filler: "x".repeat(2_000) }), {}, [413, -32600]],
  ["no JSON", "{", {}, [200, -32700]],
  ["no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}, [200, -32700]],
  ["too many levels", "[".repeat(400) + "]".repeat(400), {}, [200, -32600]],
  ["a batch", "[]", {}, [200, -32600]],
  ["another jsonrpc", bodyOf({ jsonrpc: "1.0" }), {}, [200, -32600]],
  ["an object as id", bodyOf({ id: {} }), {}, [200, -32600]],
  ["an unknown version", bodyOf({}), { "a2a-version": "2.0" }, [200, -32009]],
  ["an unknown method", bodyOf({ method: "toString" }), {}, [200, -32601]],
  ["params that are a list", bodyOf({ params: [] }), {}, [200, -32602]],
])("J10: %s is refused, with typed details", async (...[, body, headers, expected]) => {
  const response = await clientOf(agentOf({ maxBodyBytes: 1_000 })).post(body, headers);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { error } = (await response.json()) as { error: { code: number; data: readonly object[] } };
  expect([response.status, error.code]).toEqual(expected);
  expect(error.data.at(-1)).toMatchObject({ "@type": "type.googleapis.com/google.rpc.ErrorInfo" });
});

test("J10: a refused method is an error of JSON-RPC, and an error of 0.3 has no details", async () => {
  const refused = await clientOf(agentOf()).get("/");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await refused.json()).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32600, message: expect.any(String) },
  });
  const old = await clientOf(agentOf()).post("{", { "a2a-version": "" });
  expect(await old.json()).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: expect.any(String) } });
});

test("an oversized body is refused while it is sent, and the client can read the reason", async () => {
  const url = await serve(agentOf({ maxBodyBytes: 1_000 }).listener);
  const request = httpRequest(url, { method: "POST", headers: { "content-type": "application/json" } });
  request.on("error", () => undefined);
  const answered = once(request, "response") as Promise<[{ statusCode: number }]>;
  request.write("x".repeat(200_000));
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(413);
  request.destroy();
});

test("it works below a path of another server, even if that server has read the body", async () => {
  const { listener } = agentOf({}, ({ text }) => text);
  const url = await serve((request, response) => {
    const own = Object.assign(request, { originalUrl: request.url, url: "/" });
    if (request.method === "GET") return listener(own, response);
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => setImmediate(() => listener(Object.assign(own, { body: JSON.parse(text) }), response)));
  });
  const card = await (await fetch(`${url}/counter/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({ url: `${url}/counter/` });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const response = await fetch(`${url}/counter/`, { method: "POST", headers, body: bodyOf({}) });
  expect(await response.json()).toMatchObject({
    id: "a",
    result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
  });
});

test("a reader that reads nothing causes no buffering outside of the task", async () => {
  const piece = "x".repeat(65_536);
  let written = 0;
  const handler: Handler = async (_message, task) => {
    for (; written < 200; written++) {
      task.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const url = await serve(agentOf({}, handler).listener);
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const body = bodyOf({ method: "SendStreamingMessage" });
  const response = await fetch(url, { method: "POST", headers, body });
  await expect.poll(() => written).toBe(200);
  const text = await response.text();
  expect(text.match(/x+/g)?.join("").length).toBeGreaterThanOrEqual(200 * piece.length);
  expect(text).toContain("TASK_STATE_COMPLETED");
});

test("invalid options are refused with an explanation", () => {
  expect(() => agentOf({ name: "" })).toThrow('Expected name to be a string that is not empty, got "".');
  expect(() => agentOf({ url: "agents.example.com" })).toThrow("Expected a url that starts with http:// or https://");
  expect(() => agentOf({ token: [""] })).toThrow("Expected token to be a string");
  expect(() => agentOf({ maxTasks: 0 })).toThrow("Expected maxTasks to be 1 to 2147483647, got 0.");
  expect(() => agentOf({}, "x" as unknown as Handler)).toThrow("Expected the handler to be a function");
});

const readerOf = (record: ReturnType<typeof createTaskRecord>) => {
  const { body } = eventStream(createTaskReader(record), (event) => event);
  return (body as ReadableStream<Uint8Array>).getReader();
};

test("a task drops a stream whose client disconnects", async () => {
  const record = createTaskRecord({ contextId: "c", owner: "" });
  const reader = readerOf(record);
  await reader.read();
  const next = reader.read();
  await vi.waitFor(() => expect(record.waiters.size).toBe(1));
  await reader.cancel();
  expect(await next).toMatchObject({ done: true });
  await vi.waitFor(() => expect(record.waiters.size).toBe(0));
});
