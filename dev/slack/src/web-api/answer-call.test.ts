import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { readFile } from "node:fs/promises";
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  WebClientEvent,
  type WebClientOptions,
} from "@slack/web-api";
import type { DevSlack } from "../server/dev-slack.ts";

test("arguments come as a form, as JSON, as multipart or in a query", async () => {
  const dev = await devSlackForTest();
  const authorization = `Bearer ${dev.botToken}`;
  const url = `${dev.apiUrl}users.info`;
  const form = new FormData();
  form.set("user", "U0BOB000001");
  const requests: RequestInit[] = [
    { method: "POST", body: new URLSearchParams({ user: "U0BOB000001" }) },
    { method: "POST", body: form },
    {
      method: "POST",
      body: JSON.stringify({ user: "U0BOB000001" }),
      headers: { "content-type": "application/json; charset=utf-8" },
    },
  ];
  for (const init of requests) {
    const headers = new Headers(init.headers);
    headers.set("authorization", authorization);
    expect(await (await fetch(url, { ...init, headers })).json()).toMatchObject({ ok: true, user: { name: "bob" } });
  }
  const got = await fetch(`${url}?user=U0BOB000001`, { headers: { authorization } });
  expect(await got.json()).toMatchObject({ ok: true, user: { name: "bob" } });
});

test.each([
  ["application/json", "{", "invalid_json"],
  ["application/json", "[1]", "json_not_object"],
  ["text/csv", "a,b", "invalid_post_type"],
  ["", "user=U0BOB000001", "missing_post_type"],
  ["multipart/form-data; boundary=x", "nothing of the kind", "invalid_form_data"],
])("a body of type %j that cannot be read: %s → %s", async (type, body, error) => {
  const dev = await devSlackForTest();
  const headers = { authorization: `Bearer ${dev.botToken}`, "content-type": type };
  const response = await fetch(`${dev.apiUrl}users.info`, { method: "POST", headers, body: Buffer.from(body) });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: false, error });
});

test("a token counts in the header and in a form, not in the query and not in JSON", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ ok: true });
  const inQuery = await fetch(`${dev.apiUrl}auth.test?token=${dev.botToken}`);
  expect(await inQuery.json()).toEqual({ ok: false, error: "not_authed" });
  const inJson = await fetch(`${dev.apiUrl}auth.test`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ token: dev.botToken }),
  });
  expect(await inJson.json()).toEqual({ ok: false, error: "not_authed" });
});

test("a scope that the token lacks is named, with what it has", async () => {
  const dev = await devSlackForTest({ scopes: ["chat:write", "im:read"] });
  expect(await callWebApi(dev, "users.info", { user: "U0BOB000001" })).toEqual({
    ok: false,
    error: "missing_scope",
    needed: "users:read",
    provided: "chat:write,im:read",
  });
  expect(await callWebApi(dev, "conversations.info", { channel: "D0BOB000001" })).toMatchObject({ ok: true });
  expect(await callWebApi(dev, "conversations.info", { channel: "C0GENERAL01" })).toMatchObject({
    needed: "channels:read",
  });
  expect(await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", text: "hi" })).toMatchObject({ ok: true });
});

test("a method that is called too often responds with 429 until its minute ends", async () => {
  const dev = await devSlackForTest({ rateLimits: { tier_4: { burst: 1, per_minute: 100 } } });
  expect(await callWebApi(dev, "users.info", { user: "U0BOB000001" })).toMatchObject({ ok: true });
  const headers = { authorization: `Bearer ${dev.botToken}` };
  const refused = await fetch(`${dev.apiUrl}users.info?user=U0BOB000001`, { headers });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({ ok: false, error: "ratelimited" });
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ ok: true });
});

test("every call is recorded without its token", async () => {
  const dev = await devSlackForTest();
  await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", text: `my token is ${dev.botToken}` });
  const record = dev.control.traffic().find(({ kind }) => kind === "web_api");
  expect(record).toMatchObject({
    name: "chat.postMessage",
    status: 200,
    verdict: "ok",
    request: { channel: "C0GENERAL01", text: "my token is [redacted]" },
  });
  expect(JSON.stringify(dev.control.traffic())).not.toContain(dev.botToken);
});

function clientOf(dev: DevSlack, options: WebClientOptions = {}): WebClient {
  return new WebClient(dev.botToken, { slackApiUrl: dev.apiUrl, retryConfig: { retries: 0 }, ...options });
}

test("Slack's own client posts, updates and reads, and sees its scopes", async () => {
  const dev = await devSlackForTest();
  const client = clientOf(dev);
  const auth = await client.auth.test();
  expect(auth).toMatchObject({ ok: true, user_id: "U0CROSSZONE", bot_id: "B0CROSSZONE", team_id: "T0CROSSZONE" });
  expect(auth.response_metadata?.scopes).toContain("chat:write");
  const metadata = { event_type: "task", event_payload: { id: "t1", done: false } };
  const posted = await client.chat.postMessage({ channel: "C0GENERAL01", text: "working…", metadata });
  expect(posted).toMatchObject({ ok: true, channel: "C0GENERAL01", message: { bot_id: "B0CROSSZONE", metadata } });
  const ts = posted.ts ?? "";
  await client.chat.update({ channel: "C0GENERAL01", ts, markdown_text: "**done**" });
  const { messages } = await client.conversations.replies({ channel: "C0GENERAL01", ts, include_all_metadata: true });
  expect(messages).toMatchObject([{ ts, text: "**done**", metadata }]);
  expect(dev.control.messages({ channel: "general" })).toMatchObject([{ ts, markdown_text: "**done**" }]);
});

test("what Slack refuses is a platform error with Slack's code", async () => {
  const dev = await devSlackForTest();
  const client = clientOf(dev);
  const codeOf = async (call: Promise<unknown>): Promise<string> => {
    const error: unknown = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof WebAPIPlatformError ? error.data.error : String(error);
  };
  expect(await codeOf(client.chat.postMessage({ channel: "C0RANDOM001", text: "hi" }))).toBe("not_in_channel");
  expect(await codeOf(client.chat.postMessage({ channel: "C0NOWHERE01", text: "hi" }))).toBe("channel_not_found");
  expect(await codeOf(client.apiCall("chat.unfurl", {}))).toBe("unknown_method");
  const stranger = new WebClient("xoxb-not-a-token", { slackApiUrl: dev.apiUrl });
  expect(await codeOf(stranger.auth.test())).toBe("invalid_auth");
  expect(await codeOf(new WebClient(undefined, { slackApiUrl: dev.apiUrl }).auth.test())).toBe("not_authed");
  expect(await codeOf(client.apps.connections.open())).toBe("not_allowed_token_type");
});

test("too many posts to a channel are 429 with Retry-After, which the client waits out", async () => {
  const dev = await devSlackForTest({ rateLimits: { post_message: { burst: 2, per_minute: 60 } } });
  const hasty = clientOf(dev, { rejectRateLimitedCalls: true });
  const post = (client: WebClient, channel: string) => client.chat.postMessage({ channel, text: "hi" });
  await post(hasty, "C0GENERAL01");
  await post(hasty, "C0GENERAL01");
  const error: unknown = await post(hasty, "C0GENERAL01").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  expect(error).toMatchObject({ retryAfter: 1 });
  expect(await post(hasty, "C0PRIVATE01")).toMatchObject({ ok: true });

  const retrying = clientOf(dev, { retryConfig: { retries: 1, minTimeout: 1 } });
  const waits: number[] = [];
  retrying.on(WebClientEvent.RATE_LIMITED, (seconds: number) => waits.push(seconds));
  expect(await post(retrying, "C0GENERAL01")).toMatchObject({ ok: true });
  expect(waits).toEqual([1]);
});

test("faults: what goes wrong, how often, and whether the call took effect", async () => {
  const dev = await devSlackForTest();
  const client = clientOf(dev, { timeout: 300 });
  const post = (): Promise<unknown> => client.chat.postMessage({ channel: "C0GENERAL01", text: "hi" });
  dev.control.setFault({ method: "chat.postMessage", kind: "server_error", times: 2 });
  await expect(post()).rejects.toBeInstanceOf(WebAPIHTTPError);
  await expect(client.auth.test()).resolves.toMatchObject({ ok: true });
  await expect(post()).rejects.toBeInstanceOf(WebAPIHTTPError);
  await expect(post()).resolves.toMatchObject({ ok: true });

  dev.control.setFault({ method: "*", kind: "error", error: "channel_not_found" });
  await expect(post()).rejects.toThrow("channel_not_found");
  dev.control.setFault({ method: "chat.postMessage", kind: "drop" });
  await expect(post()).rejects.toBeInstanceOf(WebAPIRequestError);
  dev.control.setFault({ method: "chat.postMessage", kind: "hang" });
  await expect(post()).rejects.toThrow(/timeout/i);
  expect(dev.control.messages({ channel: "general" })).toHaveLength(1);

  dev.control.setFault({ method: "chat.postMessage", kind: "drop", takes_effect: true });
  await expect(post()).rejects.toBeInstanceOf(WebAPIRequestError);
  expect(dev.control.messages({ channel: "general" })).toHaveLength(2);
  const retrying = clientOf(dev, { retryConfig: { retries: 1, minTimeout: 1 } });
  dev.control.setFault({ method: "chat.postMessage", kind: "rate_limited", retry_after: 0 });
  expect(await retrying.chat.postMessage({ channel: "C0GENERAL01", text: "later" })).toMatchObject({ ok: true });
});

test("faults of the calls that are meant: refuse what is rich, or the second of three", async () => {
  const dev = await devSlackForTest();
  const blocks = [{ type: "divider" }];
  const post = async (content: Record<string, unknown>) =>
    (await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", text: "hi", ...content }))["error"] ?? "ok";
  const fault = { method: "chat.postMessage", kind: "error", error: "invalid_blocks" } as const;
  dev.control.setFault({ ...fault, where: { blocks: true, channel: "C0GENERAL01" }, problems: ["p"], times: 2 });
  expect(await post({})).toBe("ok");
  expect(await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", blocks })).toEqual({
    ok: false,
    error: "invalid_blocks",
    errors: ["p"],
    response_metadata: { messages: ["[ERROR] p"] },
  });
  expect(await post({ channel: "C0PRIVATE01", blocks })).toBe("ok");
  expect([await post({ blocks }), await post({ blocks })]).toEqual(["invalid_blocks", "ok"]);
  dev.control.setFault({ ...fault, error: "restricted_action_thread_locked", where: { blocks: false }, after: 1 });
  const answers = [await post({}), await post({ blocks }), await post({}), await post({})];
  expect(answers).toEqual(["ok", "ok", "restricted_action_thread_locked", "ok"]);
});

test("an organization's token names the workspace where a method needs it", async () => {
  const names = { team_id: "T1", name: "A", bot_user_id: "W1", bot_id: "B1", organization: { id: "E1", name: "Org" } };
  const { auth, bots, usergroups, users } = clientOf(await devSlackForTest({ names }));
  expect(await auth.test()).toMatchObject({ enterprise_id: "E1", is_enterprise_install: true });
  expect(await auth.teams.list()).toMatchObject({ teams: [{ id: "T1", name: "A" }] });
  await expect(users.conversations({})).rejects.toThrow("missing_argument");
  await expect(bots.info({ bot: "B1", team_id: "E1" })).rejects.toThrow("team_access_not_granted");
  expect(await users.conversations({ team_id: "T1" })).toMatchObject({ ok: true });
  expect(await usergroups.list({ team_id: "T1" })).toMatchObject({ ok: true });
});

test("filesUploadV2 puts a file in a thread, and only the bot token downloads it", async () => {
  const dev = await devSlackForTest();
  const client = clientOf(dev);
  const root = dev.control.postMessage({ channel: "dm", text: "send me a file" });
  const bytes = await readFile(new URL(import.meta.url));
  await client.filesUploadV2({
    channel_id: "D0ALICE0001",
    thread_ts: root.ts,
    file: bytes,
    filename: "résumé.png",
    initial_comment: "here",
  });
  const shared = await dev.control.waitForMessage(({ files }) => files !== undefined);
  expect(shared).toMatchObject({
    thread_ts: root.ts,
    text: "here",
    files: [{ name: "résumé.png", size: bytes.length }],
  });
  const [file] = shared.files ?? [];
  const url = file?.url_private_download ?? "";
  const good = await fetch(url, { headers: { authorization: `Bearer ${dev.botToken}` } });
  expect(good.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await good.arrayBuffer()).equals(bytes)).toBe(true);
  for (const authorization of ["", "Bearer xoxb-other", `Bearer ${dev.appToken}`]) {
    const page = await fetch(url, { headers: { authorization } });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("Sign in");
  }
  expect(await client.files.info({ file: file?.id ?? "" })).toMatchObject({ file: { ims: ["D0ALICE0001"] } });
});
