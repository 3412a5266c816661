import { expect, test } from "vitest";
import { startAsk, type StartedAsk } from "../../testing/start-ask.ts";
import type { Json } from "../../testing/start-asked-zone.ts";
import { echo, startZone } from "../../testing/start-zone.ts";

/** Sends a request that states a version, and returns the answer. */
type Request = (zone: StartedAsk, version: readonly string[]) => ReturnType<StartedAsk["send"]>;

const json = ["content-type", "application/json"];
const rpc = (method: string): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} });
const card = (agent: string): string => `/a2a/${agent}/.well-known/agent-card.json`;

/** Sends with the token of a program that may ask all agents. */
const asked =
  (body: string, { path = "/a2a/echo/", method = "POST", headers = json } = {}): Request =>
  async (zone, version) =>
    zone.send(path, { method, body, headers: [...headers, ...version, ...zone.bearer(await zone.mint())] });

const refused =
  (headers: readonly string[], { path = "/a2a/echo/", method = "POST", host = "localhost" } = {}): Request =>
  (zone, version) =>
    zone.send(path, { method, host, headers: [...headers, ...version] });

/** Sends with the token of a program of this name until it has no more requests. */
const limited: Request = async (zone, version) => {
  const headers = [...version, ...zone.bearer(await zone.create(`slow`, ["ask"]))];
  await Promise.all([0, 1].map(() => zone.send("/a2a/echo/", { headers })));
  return zone.send("/a2a/echo/", { headers });
};

const withoutScope: Request = async (zone, version) =>
  refused(zone.bearer(await zone.create(`reader`, ["runs:read"])))(zone, version);

const unauthorized = [-32_000, "UNAUTHORIZED"] as const;
const invalid = [-32_600, "INVALID_REQUEST"] as const;
const notFound = [-32_001, "TASK_NOT_FOUND"] as const;

/** What a request to `/a2a` can be refused for: the status, the code, the reason, and the request. */
const errors: readonly (readonly [string, number, readonly [code: number, reason: string], Request])[] = [
  ["no token", 401, unauthorized, refused([])],
  ["a wrong token", 401, unauthorized, refused(["authorization", "Bearer xz_no"])],
  [
    "a card, a wrong token",
    401,
    unauthorized,
    refused(["authorization", "Bearer x"], { path: card("echo"), method: "GET" }),
  ],
  ["a token without the scope", 403, unauthorized, withoutScope],
  ["another host", 403, unauthorized, refused([], { host: "evil.example" })],
  ["a page of another site", 403, unauthorized, refused(["origin", "https://evil.example"])],
  ["too many requests", 429, [-32_000, "RATE_LIMITED"], limited],
  ["no such path", 404, invalid, refused([], { path: "/a2a/echo/x/y" })],
  ["no agent", 404, invalid, refused([], { path: "/a2a" })],
  ["GET", 405, invalid, refused([], { method: "GET" })],
  ["POST to a card", 405, invalid, refused([], { path: card("echo") })],
  ["the card of an unknown agent", 404, notFound, asked("", { path: card("nobody"), method: "GET" })],
  [
    "another media type",
    415,
    [-32_005, "CONTENT_TYPE_NOT_SUPPORTED"],
    asked("x", { headers: ["content-type", "text/plain"] }),
  ],
  ["a large body", 413, invalid, asked("x".repeat(1_048_577))],
  ["no JSON", 200, [-32_700, "PARSE_ERROR"], asked("{")],
  ["30,000 brackets (J40)", 200, [-32_700, "PARSE_ERROR"], asked("[".repeat(30_000))],
  ["a batch", 200, invalid, asked(`[${rpc("GetTask")}]`)],
  ["no such method", 200, [-32_601, "METHOD_NOT_FOUND"], asked(rpc("Nothing"))],
  ["an unknown agent", 200, notFound, asked(rpc("GetTask"), { path: "/a2a/nobody/" })],
  ["params that are no object", 200, invalid, asked('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":7}')],
];

test.each(["1.0", "0.3", ""])(
  "J10: each error on /a2a has the form of version %j, also where HTTP refuses the request",
  async (version) => {
    const { app } = await startZone([echo]);
    const zone = await startAsk("sqlite::memory:", undefined, app.ask);
    for (const [name, status, [code, reason], request] of errors) {
      const { body, ...answer } = await request(zone, version === "" ? [] : ["a2a-version", version]);
      const { error } = body as Json;
      expect.soft([name, answer.status, body["jsonrpc"], error.code]).toEqual([name, status, "2.0", code]);
      expect.soft([name, error.message]).toEqual([name, expect.stringMatching(/\w{5,}/)]);
      const domain = code < -32_000 && code > -32_100 ? "a2a-protocol.org" : "crosszone.dev";
      const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain, metadata: {} };
      const retry = {
        "@type": "type.googleapis.com/google.rpc.RetryInfo",
        retryDelay: `${String(answer.headers["retry-after"])}s`,
      };
      const data = version === "1.0" ? [info, ...(status === 429 ? [retry] : [])] : undefined;
      expect.soft([name, error.data]).toEqual([name, data]);
    }
  },
);

test("J10: an error says what to do in its message, and one of an unknown version has the form of 1.0", async () => {
  const { app } = await startZone([echo]);
  const zone = await startAsk("sqlite::memory:", undefined, app.ask);
  const { body } = await refused([])(zone, []);
  expect(body).toMatchObject({ error: { message: "Unauthorized: send one token as Authorization: Bearer" } });
  const unknown = await asked(rpc("GetTask"))(zone, ["a2a-version", "9.9"]);
  expect(unknown.body).toMatchObject({ id: 1, error: { code: -32_009, data: [{ reason: "VERSION_NOT_SUPPORTED" }] } });
  // MCP has its own form.
  const { body: mcp } = await refused([], { path: "/mcp" })(zone, []);
  expect(mcp).toMatchObject({ error: { data: { kind: "unauthorized" } } });
});
