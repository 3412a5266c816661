import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { createHealth, createMetrics, createTokenBuckets, type Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { serve } from "@crosszone/testkit/temporary";
import { describe, expect, test, vi } from "vitest";
import { UnreadableFileError } from "../tasks/task-files.ts";
import type { OpenLinkedFile } from "../tasks/file-links.ts";
import { echo, startZone, task, token } from "../testing/start-zone.ts";
import { type Authenticator, refused } from "./auth/authenticator.ts";
import { createHttpApp, type LinkedFileRouteDeps } from "./create-http-app.ts";
import { hostProfiles } from "./host-profile.ts";

const request = (members: object): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1", ...members });

const contents = Buffer.alloc(2_000_000, "x");

const csv: OpenLinkedFile = async (given) =>
  given === "known" ? { mediaType: "text/csv", read: async () => contents } : undefined;

async function startFiles(deps: Partial<LinkedFileRouteDeps> = {}) {
  const markFetched = vi.fn<LinkedFileRouteDeps["markFetched"]>(async () => undefined);
  const emit = vi.fn<Emit<ExecutionEvent>>();
  const files = { open: csv, markFetched, ...deps };
  const origin = await serve(createHttpApp({ files, health: createHealth(), metrics: createMetrics(), emit }));
  return { url: `${origin}/files/`, markFetched, emit };
}

describe("rpc route", () => {
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
});

describe("file route", () => {
  test("a link returns the whole file as a download that is not cached, and is then used up", async () => {
    const { url, markFetched } = await startFiles();
    const response = await fetch(`${url}known`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv",
      "content-length": "2000000",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(contents.equals(await response.bytes())).toBe(true);
    await vi.waitFor(() => expect(markFetched.mock.calls).toEqual([["known"]]));
  });

  test("an agent that disconnects before the end has not used up the link", async () => {
    const { url, markFetched } = await startFiles({
      open: async () => ({ mediaType: "text/csv", read: async () => Buffer.alloc(50_000_000) }),
    });
    const asked = sendRequest(`${url}known`).end();
    const [response] = (await once(asked, "response")) as [NodeJS.ReadableStream & { destroy: () => void }];
    response.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(markFetched).not.toHaveBeenCalled();
  });

  test("an unknown link, and any method other than GET, gets a 404 in JSON", async () => {
    const { url, markFetched } = await startFiles();
    const answers = [fetch(`${url}unknown`), fetch(url), fetch(`${url}a/b`), fetch(`${url}known`, { method: "POST" })];
    for (const response of [...(await Promise.all(answers)), await fetch(`${url}known`, { method: "HEAD" })]) {
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
    }
    expect(markFetched).not.toHaveBeenCalled();
  });

  test.each([
    [new UnreadableFileError("It is kept outside of Slack."), "It is kept outside of Slack."],
    [new Error("secret"), "The file can't be read right now."],
  ])("a file that cannot be read gets a 502 with a message, and the link stays valid", async (failure, message) => {
    const open: OpenLinkedFile = async () => ({ mediaType: "text/csv", read: () => Promise.reject(failure) });
    const { url, markFetched } = await startFiles({ open });
    const response = await fetch(`${url}known`);
    expect([response.status, await response.json()]).toEqual([502, { error: { message } }]);
    expect(markFetched).not.toHaveBeenCalled();
  });

  test("an address that exceeds its rate, and the twenty-first concurrent download, get a 429", async () => {
    const limited = await startFiles({ addressLimit: createTokenBuckets({ capacity: 1, perMinute: 1 }) });
    expect((await fetch(`${limited.url}unknown`)).status).toBe(404);
    expect((await fetch(`${limited.url}known`)).status).toBe(429);
    expect(limited.emit.mock.calls).toMatchObject([["http_refused", { reason: "too_many" }]]);

    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const read = vi.fn<() => Promise<Buffer>>(() => promise);
    const busy = await startFiles({ open: async () => ({ mediaType: "text/csv", read }) });
    const reading = Array.from({ length: 20 }, () => fetch(`${busy.url}known`));
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(20));
    expect((await fetch(`${busy.url}known`)).status).toBe(429);
    resolve(Buffer.from("x"));
    expect((await Promise.all(reading)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});
