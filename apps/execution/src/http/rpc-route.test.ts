import { describe, expect, test } from "vitest";
import { hostProfiles } from "./host-profile.ts";
import { echo, startZone, task, token } from "../testing/start-zone.ts";
import { refused, type Authenticator } from "./auth/authenticator.ts";

const request = (members: object): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1", ...members });

test.each(["channel", "text", "bot_token"])(
  "Z4: params without %s, or with a number there, are named by pointer",
  async (member) => {
    const zone = await startZone([echo]);
    for (const value of [undefined, 5])
      expect(await zone.call("execute_task", task({ [member]: value }))).toMatchObject({
        error: { code: -32602, data: { kind: "invalid_params", problems: [{ pointer: `/${member}` }] } },
      });
  },
);

test("Z11: on AgentCore a body without a content type is JSON, as boto3 sends it; elsewhere it is refused", async () => {
  const [agentcore, plain] = await Promise.all([
    startZone([echo], { profile: hostProfiles.agentcore }),
    startZone([echo]),
  ]);
  const message = Buffer.from(JSON.stringify(request({})));
  for (const headers of [{}, { "content-type": "application/octet-stream" }]) {
    const post = (url: string) => fetch(url, { method: "POST", body: message, headers });
    const answered = await post(`${agentcore.url}/invocations`);
    expect([answered.status, await answered.json()]).toMatchObject([200, { jsonrpc: "2.0" }]);
    expect((await post(`${plain.url}/rpc`)).status).toBe(415);
  }
  const text = { method: "POST", body: message, headers: { "content-type": "text/plain" } };
  expect((await fetch(`${agentcore.url}/invocations`, text)).status).toBe(415);
});

describe("bearer tokens between the zones", () => {
  test("401 without a token, with a wrong one, or in another scheme; the response, log and metric name the reason", async () => {
    const zone = await startZone([echo], { tokens: [token] });
    const wrong = ["Bearer wrong", `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}X`];
    for (const authorization of ["", `Basic ${token}`, `Bearer  ${token}`, "Bearer ", "Bearer", ...wrong]) {
      const response = await zone.post(request({}), { authorization });
      const isWrong = wrong.includes(authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe(isWrong ? 'Bearer error="invalid_token"' : "Bearer");
      const message = isWrong ? "the credentials are not valid" : "send the zone's token as Authorization: Bearer";
      expect(await response.json()).toMatchObject({
        error: { data: { kind: "unauthorized", problems: [{ message }] } },
        id: null,
      });
    }
    const reasons = zone.log.filter(({ event }) => event === "http_refused").map(({ reason }) => reason);
    expect(reasons).toEqual([...Array<string>(5).fill("credentials_missing"), ...wrong.map(() => "token_wrong")]);
    const metrics = await (await fetch(`${zone.url}/metrics`)).text();
    expect(metrics).toContain('http_requests_refused_total{reason="credentials_missing"} 5');
    expect(metrics).toContain('http_requests_refused_total{reason="token_wrong"} 3');
    expect(JSON.stringify(zone.log)).not.toContain(token);
  });

  test("during a token rotation, the old and the new token are accepted", async () => {
    const zone = await startZone([echo], { tokens: [token, `${token}-next`] });
    for (const good of [token, `${token}-next`])
      expect((await zone.post(request({}), { authorization: `Bearer ${good}` })).status).toBe(200);
  });
});

describe("the rate limit of each caller", () => {
  test("excess requests get 429 with the wait in header and body, and the connection stays open", async () => {
    const zone = await startZone([echo], { requestsPerMinute: 60, requestBurst: 2 });
    const statuses = [];
    for (let sent = 0; sent < 2; sent += 1) statuses.push((await zone.post(request({}))).status);
    expect(statuses).toEqual([200, 200]);
    const response = await zone.post(request({}));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("connection")).not.toBe("close");
    expect(await response.json()).toMatchObject({
      error: { code: -32013, data: { kind: "rate_limited", retryable: true, retry_after_ms: expect.any(Number) } },
      id: null,
    });
    const metrics = await (await fetch(`${zone.url}/metrics`)).text();
    expect(metrics).toContain('http_requests_refused_total{reason="too_many"} 1');
  });

  test("is separate for each caller, and is not used up by requests refused for another reason", async () => {
    const authenticator: Authenticator = {
      challenge: "Bearer",
      hint: "",
      authenticate: ({ headers }) =>
        headers.authorization === undefined ? refused("credentials_missing") : { caller: headers.authorization },
    };
    const zone = await startZone([echo], { authenticator, requestsPerMinute: 1, requestBurst: 1 });
    const statusOf = async (authorization?: string): Promise<number> =>
      (await zone.post(request({}), authorization === undefined ? {} : { authorization })).status;
    for (let sent = 0; sent < 3; sent += 1) expect(await statusOf()).toBe(401);
    expect([await statusOf("a"), await statusOf("a"), await statusOf("b")]).toEqual([200, 429, 200]);
  });
});
