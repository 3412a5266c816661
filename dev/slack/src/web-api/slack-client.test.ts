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
import { expect, test } from "vitest";
import type { DevSlackOptions } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

const BOB = { user: "U0BOB000001" };
const form = new FormData();
form.set("user", BOB.user);
const JSON_TYPE = "application/json; charset=utf-8";

test.each<[what: string, body: RequestInit["body"], type?: string, error?: string]>([
  ["a query", undefined],
  ["a form", new URLSearchParams(BOB)],
  ["a form with parts", form],
  ["JSON", JSON.stringify(BOB), JSON_TYPE],
  ["broken JSON", "{", JSON_TYPE, "invalid_json"],
  ["a JSON list", "[1]", JSON_TYPE, "json_not_object"],
  ["a table", "a,b", "text/csv", "invalid_post_type"],
  ["bytes without a type", Buffer.from("user=U0BOB000001"), "", "missing_post_type"],
  ["no parts", "nothing of the kind", "multipart/form-data; boundary=x", "invalid_form_data"],
])("arguments as %s", async (...[, body, type, error]) => {
  const dev = await devSlackForTest();
  const headers = { authorization: `Bearer ${dev.botToken}`, ...(type !== undefined && { "content-type": type }) };
  const url = `${dev.apiUrl}users.info${body === undefined ? "?user=U0BOB000001" : ""}`;
  const response = await fetch(url, { method: body === undefined ? "GET" : "POST", headers, body: body ?? null });
  expect(response.status).toBe(200);
  const answer = error === undefined ? { ok: true, user: { name: "bob" } } : { ok: false, error };
  expect(await response.json()).toMatchObject(answer);
});

test("a token counts in the header and in a form, not in the query and not in JSON", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ ok: true });
  const json = {
    method: "POST",
    headers: { "content-type": JSON_TYPE },
    body: JSON.stringify({ token: dev.botToken }),
  };
  const url = `${dev.apiUrl}auth.test`;
  for (const answer of [await fetch(`${url}?token=${dev.botToken}`), await fetch(url, json)])
    expect(await answer.json()).toEqual({ ok: false, error: "not_authed" });
});

test.each([
  ["tier_4", "users.info", BOB],
  ["tier_2", "usergroups.list", {}],
])(
  "a method of %s that is called too often responds with 429 until its minute ends: %s",
  async (tier, method, args) => {
    const dev = await devSlackForTest({ rateLimits: { [tier]: { burst: 1, per_minute: 100 } } });
    expect(await callWebApi(dev, method, args)).toMatchObject({ ok: true });
    const headers = { authorization: `Bearer ${dev.botToken}` };
    const refused = await fetch(`${dev.apiUrl}${method}?user=U0BOB000001`, { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toEqual({ ok: false, error: "ratelimited" });
    expect(await callWebApi(dev, "team.info")).toMatchObject({ ok: true });
  },
);

/** A local Slack, and Slack's own client of it. */
async function clientForTest(options: DevSlackOptions = {}, own: WebClientOptions = {}) {
  const dev = await devSlackForTest(options);
  const clientOf = (more: WebClientOptions = {}, token = dev.botToken): WebClient =>
    new WebClient(token, { slackApiUrl: dev.apiUrl, retryConfig: { retries: 0 }, ...more });
  const client = clientOf(own);
  const post = (by = client, channel = "C0GENERAL01") => by.chat.postMessage({ channel, text: "hi" });
  return { dev, client, clientOf, post };
}

test("Slack's own client posts, updates and reads, sees its scopes, and gets Slack's codes; its token is in no record", async () => {
  const { dev, client, clientOf } = await clientForTest();
  const auth = await client.auth.test();
  expect(auth).toMatchObject({ ok: true, user_id: "U0CROSSZONE", bot_id: "B0CROSSZONE", team_id: "T0CROSSZONE" });
  expect(auth.response_metadata?.scopes).toContain("chat:write");
  const metadata = { event_type: "task", event_payload: { id: "t1", done: false } };
  const text = `my token is ${dev.botToken}`;
  const posted = await client.chat.postMessage({ channel: "C0GENERAL01", text, metadata });
  expect(posted).toMatchObject({ ok: true, channel: "C0GENERAL01", message: { bot_id: "B0CROSSZONE", metadata } });
  const ts = posted.ts ?? "";
  await client.chat.update({ channel: "C0GENERAL01", ts, markdown_text: "**done**" });
  const { messages } = await client.conversations.replies({ channel: "C0GENERAL01", ts, include_all_metadata: true });
  expect(messages).toMatchObject([{ ts, text: "**done**", metadata }]);
  expect(dev.control.messages({ channel: "general" })).toMatchObject([{ ts, markdown_text: "**done**" }]);
  const refused: unknown = await clientOf({}, "xoxb-other")
    .auth.test()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WebAPIPlatformError);
  expect(refused).toMatchObject({ data: { error: "invalid_auth" } });
  const record = dev.control.traffic().find(({ name }) => name === "chat.postMessage");
  const request = { channel: "C0GENERAL01", text: "my token is [redacted]" };
  expect(record).toMatchObject({ kind: "web_api", status: 200, verdict: "ok", request });
  expect(JSON.stringify(dev.control.traffic())).not.toContain(dev.botToken);
});

test("too many posts to a channel are 429 with Retry-After, which the client waits out", async () => {
  const rateLimits = { post_message: { burst: 2, per_minute: 60 } };
  const { clientOf, post } = await clientForTest({ rateLimits }, { rejectRateLimitedCalls: true });
  await post();
  await post();
  const error: unknown = await post().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  expect(error).toMatchObject({ retryAfter: 1 });
  expect(await post(undefined, "C0PRIVATE01")).toMatchObject({ ok: true });
  const retrying = clientOf({ retryConfig: { retries: 1, minTimeout: 1 } });
  const waits: number[] = [];
  retrying.on(WebClientEvent.RATE_LIMITED, (seconds: number) => waits.push(seconds));
  expect(await post(retrying)).toMatchObject({ ok: true });
  expect(waits).toEqual([1]);
});

test("faults: what goes wrong, how often, and whether the call took effect", async () => {
  const { dev, client, clientOf, post } = await clientForTest({}, { timeout: 300 });
  const setFault: typeof dev.control.setFault = (fault) => dev.control.setFault(fault);
  const posts = () => dev.control.messages({ channel: "general" });
  const method = "chat.postMessage";
  setFault({ method, kind: "server_error", times: 2 });
  await expect(post()).rejects.toBeInstanceOf(WebAPIHTTPError);
  await expect(client.auth.test()).resolves.toMatchObject({ ok: true });
  await expect(post()).rejects.toBeInstanceOf(WebAPIHTTPError);
  await expect(post()).resolves.toMatchObject({ ok: true });
  setFault({ method: "*", kind: "error", error: "channel_not_found" });
  await expect(post()).rejects.toThrow("channel_not_found");
  setFault({ method, kind: "drop" });
  await expect(post()).rejects.toBeInstanceOf(WebAPIRequestError);
  setFault({ method, kind: "hang" });
  await expect(post()).rejects.toThrow(/timeout/i);
  expect(posts()).toHaveLength(1);
  setFault({ method, kind: "drop", takes_effect: true });
  await expect(post()).rejects.toBeInstanceOf(WebAPIRequestError);
  expect(posts()).toHaveLength(2);
  setFault({ method, kind: "rate_limited", retry_after: 0 });
  expect(await post(clientOf({ retryConfig: { retries: 1, minTimeout: 1 } }))).toMatchObject({ ok: true });
});

test("an organization's token names the workspace where a method needs it", async () => {
  const names = { team_id: "T1", name: "A", bot_user_id: "W1", bot_id: "B1", organization: { id: "E1", name: "Org" } };
  const { auth, bots, usergroups, users } = (await clientForTest({ names })).client;
  expect(await auth.test()).toMatchObject({ enterprise_id: "E1", is_enterprise_install: true });
  expect(await auth.teams.list()).toMatchObject({ teams: [{ id: "T1", name: "A" }] });
  await expect(users.conversations({})).rejects.toThrow("missing_argument");
  await expect(bots.info({ bot: "B1", team_id: "E1" })).rejects.toThrow("team_access_not_granted");
  expect(await users.conversations({ team_id: "T1" })).toMatchObject({ ok: true });
  expect(await usergroups.list({ team_id: "T1" })).toMatchObject({ ok: true });
});

test("an upload that ends well can be shared nowhere, and an image without alt_txt is noted", async () => {
  const dev = await devSlackForTest();
  const upload = async (filename: string, more: object = {}): Promise<unknown> => {
    const { upload_url, file_id } = await callWebApi(dev, "files.getUploadURLExternal", {
      filename,
      length: 1,
      ...more,
    });
    await fetch(String(upload_url), { method: "POST", body: "a" });
    const files = [{ id: file_id, title: filename }];
    const done = await callWebApi(dev, "files.completeUploadExternal", { files, channel_id: "C0GENERAL01" });
    expect(done).toEqual({ ok: true, files });
    return ((await callWebApi(dev, "files.info", { file: file_id }))["file"] as { channels?: unknown }).channels;
  };
  dev.control.setFault({ method: "files.completeUploadExternal", kind: "unshared" });
  expect(await upload("a.txt")).toEqual([]);
  expect(await upload("a.png")).toEqual(["C0GENERAL01"]);
  expect(await upload("b.png", { alt_txt: "A chart" })).toEqual(["C0GENERAL01"]);
  const verdicts = dev.control.traffic().flatMap(({ name, verdict }) => (name.includes("getUpload") ? [verdict] : []));
  expect(verdicts).toEqual(["ok", "ok, with image_without_alt_txt", "ok"]);
  const shown = dev.control.messages({ channel: "general" }).map(({ files }) => files?.map(({ alt_txt }) => alt_txt));
  expect(shown).toEqual([[undefined], ["A chart"]]);
});

test("filesUploadV2 puts a file in a thread, and only the bot token downloads it", async () => {
  const { dev, client } = await clientForTest();
  const { ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "send me a file" });
  const file = await readFile(new URL(import.meta.url));
  const place = { channel_id: "D0ALICE0001", thread_ts };
  await client.filesUploadV2({ ...place, file, filename: "résumé.png", initial_comment: "here" });
  const shared = await dev.control.waitForMessage(({ files }) => files !== undefined);
  const described = { name: "résumé.png", size: file.length };
  expect(shared).toMatchObject({ thread_ts, text: "here", files: [described] });
  const { id = "", url_private_download: url = "" } = shared.files?.[0] ?? {};
  const download = (authorization: string) => fetch(url, { headers: { authorization } });
  const good = await download(`Bearer ${dev.botToken}`);
  expect(good.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await good.arrayBuffer()).equals(file)).toBe(true);
  for (const authorization of ["", "Bearer xoxb-other", `Bearer ${dev.appToken}`]) {
    const page = await download(authorization);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    expect(await page.text()).toContain("Sign in");
  }
  expect(await client.files.info({ file: id })).toMatchObject({ file: { ims: ["D0ALICE0001"] } });
});
