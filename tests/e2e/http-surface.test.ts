import { createHmac, randomUUID } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { readCases } from "@crosszone/contracts/corpus";
import { describe, expect, test } from "vitest";
import { type Crosszone, startCrosszone } from "../harness/start-crosszone.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const guards = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

interface Asked {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request without `fetch`, which adds headers. */
async function ask({
  url,
  method = "GET",
  headers = {},
  body = "",
}: Asked): Promise<IncomingMessage & { text: string }> {
  const sent = request(url, { method, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return Object.assign(response, { text: Buffer.concat(await response.toArray()).toString() });
}

const json = { "content-type": "application/json" };
const token = (zones: Crosszone): Record<string, string> => ({ ...json, authorization: `Bearer ${zones.linkToken}` });
const call = (params: object, method = "list_agents"): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params, id: "1" });

/** Returns a signed request of Slack. https://docs.slack.dev/authentication/verifying-requests-from-slack */
function fromSlack(zones: Crosszone, event: object): Asked {
  const { app, team } = zones.slack.workspace;
  const origin = { api_app_id: app.app_id, team_id: team.id, authorizations: [{ team_id: team.id }] };
  const body = JSON.stringify({ type: "event_callback", event_id: randomUUID(), ...origin, event });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", zones.slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  return {
    url: `${zones.verification.url}/slack/events`,
    method: "POST",
    headers: { ...json, "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` },
    body,
  };
}

/** Returns requests for every kind of answer of the zones, with their status. */
function everything(zones: Crosszone): [status: number, asked: Asked][] {
  const { execution, verification } = zones;
  const rpc = { url: `${execution.url}/rpc`, method: "POST", headers: token(zones) };
  const both = [execution.url, verification.url].flatMap((url): [number, Asked][] => [
    [200, { url: `${url}/healthz` }],
    [200, { url: `${url}/readyz` }],
    [200, { url: `${url}/metrics` }],
    [404, { url: `${url}/nowhere` }],
    [404, { url: `${url}/healthz`, method: "POST" }],
    [417, { url: `${url}/healthz`, headers: { expect: "a miracle" } }],
  ]);
  return [
    ...both,
    [200, { ...rpc, body: call({}) }],
    [200, { ...rpc, body: "{not JSON" }],
    [204, { ...rpc, body: JSON.stringify({ jsonrpc: "2.0", method: "list_agents" }) }],
    [401, { ...rpc, headers: json }],
    [405, { ...rpc, method: "PUT" }],
    [413, { ...rpc, body: "x".repeat((1 << 20) + 1) }],
    [415, { ...rpc, headers: { ...token(zones), "content-type": "text/plain" } }],
    [404, { url: `${execution.url}/%` }],
    [200, fromSlack(zones, { type: "message", channel: "D1", user: "U1", ts: "1.1", text: "hi" })],
    [401, { url: `${verification.url}/slack/events`, method: "POST", headers: json, body: "{}" }],
    [401, { url: `${verification.url}/files/F1` }],
    [405, { url: `${verification.url}/files/F1`, method: "PUT" }],
    [405, { url: `${verification.url}/slack/events` }],
  ];
}

describe("every answer of either zone", () => {
  test("Z13: cannot be cached, sniffed, framed or run, does not name its server software, and has the request's id or a new one, by which the log finds it", async () => {
    const zones = await startCrosszone();
    for (const [index, [status, asked]] of everything(zones).entries()) {
      const { statusCode, headers } = await ask(asked);
      expect([asked.url, statusCode, headers]).toMatchObject([asked.url, status, guards]);
      expect(headers).not.toHaveProperty("x-powered-by");
      expect(headers).not.toHaveProperty("etag");
      expect(headers["x-request-id"]).toMatch(uuid);
      const own = await ask({ ...asked, headers: { ...asked.headers, "x-request-id": `own-${index}` } });
      expect([asked.url, own.headers["x-request-id"]]).toEqual([asked.url, `own-${index}`]);
    }

    const { execution, verification } = zones;
    const logged = (id: unknown): unknown[] =>
      zones.log.filter((line) => line["http_request_id"] === id).map(({ event }) => event);
    const rpc = { url: `${execution.url}/rpc`, method: "POST", headers: token(zones) };
    for (const [event, asked] of [
      ["rpc_answered", { ...rpc, body: call({}) }],
      ["rpc_failed", { ...rpc, body: "{" }],
      ["http_refused", { ...rpc, headers: {} }],
      ["event_ignored", fromSlack(zones, { type: "message", subtype: "channel_join" })],
      ["file_refused", { url: `${verification.url}/files/F1` }],
      ["slack_request_refused", { url: `${verification.url}/slack/events` }],
    ] as const) {
      const { headers } = await ask(asked);
      expect([event, logged(headers["x-request-id"])]).toEqual([event, [event]]);
    }
    for (const { url } of [execution, verification]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
      socket.end("NONSENSE\r\n\r\n");
      const text = (await socket.toArray()).join("");
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      for (const [name, value] of Object.entries(guards)) expect(text.toLowerCase()).toContain(`${name}: ${value}\r\n`);
      expect(logged(/\r\nx-request-id: (\S+)\r\n/.exec(text)?.[1])).toEqual(["http_refused"]);
    }
  });

  test("an id is accepted or replaced by the contract's rule for correlation ids", async () => {
    const { execution, linkToken } = await startCrosszone();
    const headers = { ...json, authorization: `Bearer ${linkToken}` };
    const echoed = async (id: string): Promise<unknown[]> => {
      const ids = { "x-request-id": id, "x-correlation-id": id };
      const asked = { url: `${execution.url}/rpc`, method: "POST", headers: { ...headers, ...ids }, body: call({}) };
      const answer = await ask(asked);
      return [answer.headers["x-request-id"], answer.headers["x-correlation-id"]];
    };
    const ids = readCases("common/CorrelationId").flatMap(({ valid, value }) =>
      typeof value === "string" ? [{ valid, id: value }] : [],
    );
    for (const { id } of ids.filter(({ valid }) => valid)) expect(await echoed(id)).toEqual([id, id]);
    const invalid = ids.filter(({ valid }) => !valid).map(({ id }) => id);
    const sendable = invalid.filter((id) => /^[\t\x20-\x7e\x80-\xff]*$/.test(id));
    expect(sendable.length).toBeGreaterThan(1);
    for (const id of sendable) for (const echo of await echoed(id)) expect(echo).toMatch(uuid);
  });
});

describe("/rpc answers the correlation id", () => {
  test("L7: of the params, else of the header, else a new one that the log and the error have too", async () => {
    const zones = await startCrosszone();
    const rpc = { url: `${zones.execution.url}/rpc`, method: "POST", headers: token(zones) };
    const withHeader = { ...rpc, headers: { ...rpc.headers, "x-correlation-id": "of-the-header" } };
    const task = { channel: "C1", text: "2+2", bot_token: "handle", correlation_id: "of-the-params" };
    expect((await ask({ ...withHeader, body: call(task, "execute_task") })).headers["x-correlation-id"]).toBe(
      "of-the-params",
    );
    expect((await ask({ ...withHeader, body: call({}) })).headers["x-correlation-id"]).toBe("of-the-header");
    for (const [asked, event] of [
      [{ ...rpc, body: "{" }, "rpc_failed"],
      [{ ...rpc, method: "PUT" }, "http_refused"],
    ] as const) {
      const { headers, text } = await ask(asked);
      const { error } = JSON.parse(text) as { error: { data: { correlation_id: string } } };
      expect(headers["x-correlation-id"]).toBe(error.data.correlation_id);
      const line = zones.log.find(({ http_request_id }) => http_request_id === headers["x-request-id"]);
      expect(line).toMatchObject({ event, correlation_id: error.data.correlation_id });
    }
  });

  test("R5.5: the log of a message has the trace of its request, but no invalid one", async () => {
    const zones = await startCrosszone();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const rpc = { url: `${zones.execution.url}/rpc`, method: "POST", headers: { ...token(zones), traceparent } };
    const traced = await ask({ ...rpc, body: call({}) });
    const broken = await ask({ ...rpc, headers: { ...rpc.headers, traceparent: `${traceparent}-x` }, body: call({}) });
    const lineOf = (response: IncomingMessage): object | undefined =>
      zones.log.find(({ http_request_id }) => http_request_id === response.headers["x-request-id"]);
    expect(lineOf(traced)).toMatchObject({ trace_id: "0af7651916cd43dd8448eb211c80319c" });
    expect(lineOf(broken)).not.toHaveProperty("trace_id");

    const { channel, user, ts } = zones.write({ text: "first" });
    const event = fromSlack(zones, { type: "message", channel_type: "im", channel, user, ts: `${ts}1`, text: "2+2" });
    await ask({ ...event, headers: { ...event.headers, traceparent } });
    await expect.poll(() => zones.log.some((line) => line["event"] === "task_ended" && "trace_id" in line)).toBe(true);
  });
});
