import { expect, test } from "vitest";
import {
  callWebApi,
  devSlackForTest,
  eventOf,
  type Json,
  postAsApp,
  recordingApp,
} from "../testing/dev-slack-for-test.ts";
import type { DevSlack } from "../server/dev-slack.ts";

const GENERAL = "C0GENERAL01";
const textsOf = (answer: Json): string[] => (answer["messages"] as { text: string }[]).map(({ text }) => text);
const cursorOf = (answer: Json): string => (answer["response_metadata"] as { next_cursor: string }).next_cursor;

/** A local Slack, and calls of its methods in the channel `general`. */
async function inGeneral() {
  const dev = await devSlackForTest();
  const call = (method: string, args: Json = {}): Promise<Json> =>
    callWebApi(dev, method, { channel: GENERAL, ...args });
  const write = (text: string, more: object = {}): string =>
    dev.control.postMessage({ channel: GENERAL, text, ...more }).ts;
  return { dev, call, write, shown: () => dev.control.messages({ channel: GENERAL }) };
}

test("new text replaces blocks and marks the message as edited; metadata stays until it is removed, and is read on request", async () => {
  const { dev, call, shown } = await inGeneral();
  const metadata = { event_type: "task", event_payload: { id: "t1" } };
  const divider = [{ type: "divider" }];
  const ts = await postAsApp(dev, GENERAL, { text: "a", blocks: divider, metadata });
  await call("chat.update", { ts, text: "b" });
  expect(shown()).toMatchObject([{ text: "b", metadata, edited: { user: "U0CROSSZONE" } }]);
  expect(shown()[0]).not.toHaveProperty("blocks");
  const replies = (args: Json) => call("conversations.replies", { ts, ...args });
  expect(await replies({ include_all_metadata: true })).toMatchObject({ messages: [{ metadata }] });
  expect(JSON.stringify(await replies({}))).not.toContain("metadata");
  await call("chat.update", { ts, markdown_text: "*c*" });
  await call("chat.update", { ts, metadata: {} });
  expect(shown()).toMatchObject([{ text: "*c*", markdown_text: "*c*" }]);
  expect(shown()[0]).not.toHaveProperty("metadata");
  await call("chat.update", { ts, text: "d", blocks: divider });
  expect(shown()).toMatchObject([{ text: "d", blocks: divider }]);
  for (const member of ["edited", "markdown_text"]) expect(shown()[0]).not.toHaveProperty(member);
});

test("text over 40,000 characters is cut, with a warning", async () => {
  const { call, shown } = await inGeneral();
  const answer = await call("chat.postMessage", { text: "x".repeat(40_001) });
  expect(answer).toMatchObject({ ok: true, warning: "message_truncated" });
  expect(shown()[0]?.text).toHaveLength(40_000);
});

test("an ephemeral message is for one member, in no history, and in a thread only if that has replies", async () => {
  const { call, write, shown } = await inGeneral();
  const post = (args: Json) => call("chat.postEphemeral", { user: "U0ALICE0001", text: "psst", ...args });
  const { message_ts } = await post({});
  expect(shown()).toMatchObject([{ ts: message_ts, ephemeral_for: "U0ALICE0001" }]);
  expect(await call("conversations.history")).toMatchObject({ messages: [] });
  const thread_ts = write("root");
  expect(await post({ thread_ts })).toMatchObject({ ok: true });
  expect(shown()).toHaveLength(2);
  write("reply", { thread_ts });
  const { message_ts: ts } = await post({ thread_ts });
  expect(shown().at(-1)).toMatchObject({ ts, thread_ts });
});

test.each([
  [GENERAL, { is_channel: true, is_member: true, is_archived: false, is_ext_shared: false, is_private: false }],
  ["C0RANDOM001", { is_member: false }],
  ["C0ARCHIVE01", { is_archived: true }],
  ["C0SHARED001", { is_ext_shared: true, is_shared: true, shared_team_ids: ["T0CROSSZONE", "T0PARTNERS1"] }],
  ["C0PRIVATE01", { is_private: true, is_group: true }],
  ["D0GONE00001", { is_im: true, user: "U0GONE00001", is_user_deleted: true }],
])("conversations.info has what a policy needs of %s", async (channel, expected) => {
  const { call } = await inGeneral();
  expect(await call("conversations.info", { channel })).toMatchObject({ channel: { id: channel, ...expected } });
});

test("the history has the newest first and no replies; a thread has its root and the oldest reply first", async () => {
  const { dev, call, write } = await inGeneral();
  const root = write("root", { user: "bob" });
  await postAsApp(dev, GENERAL, { text: "one", thread_ts: root });
  const last = write("two", { thread_ts: root });
  write("later");
  const thread = { reply_count: 2, reply_users: ["U0CROSSZONE", "U0ALICE0001"], latest_reply: last, thread_ts: root };
  expect(await call("conversations.history")).toMatchObject({
    has_more: false,
    messages: [{ text: "later" }, { text: "root", ...thread }],
  });
  for (const ts of [root, last])
    expect(textsOf(await call("conversations.replies", { ts }))).toEqual(["root", "one", "two"]);
});

test("oldest, latest and inclusive choose; a page has at most 200 messages, and a cursor for the next", async () => {
  const { dev, call, write } = await inGeneral();
  const [a, b, c] = ["a", "b", "c"].map((text) => write(text));
  const history = async (args: Json) => textsOf(await call("conversations.history", args));
  expect(await history({ oldest: a })).toEqual(["c", "b"]);
  expect(await history({ oldest: a, inclusive: true })).toEqual(["c", "b", "a"]);
  expect(await history({ latest: b, inclusive: 1, limit: 1 })).toEqual(["b"]);
  expect(await history({ oldest: b, latest: c })).toEqual([]);
  const page = await call("conversations.history", { limit: 2 });
  expect(page).toMatchObject({ has_more: true });
  expect(await history({ limit: 2, cursor: cursorOf(page) })).toEqual(["a"]);
  for (let count = 0; count < 201; count++) dev.control.postMessage({ channel: "leads", text: "a" });
  const full = await call("conversations.history", { channel: "C0PRIVATE01", limit: 999 });
  expect([full["messages"], full["has_more"]]).toEqual([expect.objectContaining({ length: 200 }), true]);
});

test("an app lists its own conversations by type, page by page, and the groups of people", async () => {
  const { dev, call } = await inGeneral();
  const list = (args: Json = {}) => call("users.conversations", args);
  const idsOf = (answer: Json) => (answer["channels"] as { id: string }[]).map(({ id }) => id);
  const all = idsOf(await list());
  expect([all.includes(GENERAL), all.includes("C0RANDOM001")]).toEqual([true, false]);
  expect(idsOf(await list({ exclude_archived: true }))).toEqual(all.filter((id) => id !== "C0ARCHIVE01"));
  expect(idsOf(await list({ types: "im" })).every((id) => id.startsWith("D"))).toBe(true);
  const first = await list({ limit: 1 });
  expect([...idsOf(first), ...idsOf(await list({ limit: 999, cursor: cursorOf(first) }))]).toEqual(all);

  const group = { id: "S0ONCALL001", handle: "on-call", name: "On call" };
  const users = ["U0ALICE0001", "U0GUEST0001"];
  dev.control.putUserGroup({ ...group, users });
  dev.control.putUserGroup({ id: "S0OLD000001", handle: "old", name: "Old", users, is_disabled: true });
  expect(await call("usergroups.list")).toMatchObject({ usergroups: [{ ...group, team_id: "T0CROSSZONE" }] });
  expect(await call("usergroups.users.list", { usergroup: group.id })).toMatchObject({ ok: true, users });
  expect(() => dev.control.putUserGroup({ ...group, users: ["U0NOBODY001"] })).toThrow("unknown user");
});

test("a message for a thread that is gone is posted outside of it, without an error", async () => {
  const { dev, call, write, shown } = await inGeneral();
  const ts = write("secret question");
  dev.control.deleteMessage({ channel: GENERAL, ts, user: "alice" });
  for (const thread_ts of [ts, "1700000000.000100"]) {
    const { ok, message } = await call("chat.postMessage", { thread_ts, text: "answer" });
    expect(ok).toBe(true);
    expect(message).not.toHaveProperty("thread_ts");
    const ephemeral = { thread_ts, user: "U0ALICE0001", text: "psst" };
    expect(await call("chat.postEphemeral", ephemeral)).toMatchObject({ ok: true });
  }
  expect(shown().map(({ text }) => text)).toEqual(["answer", "answer"]);
});

test("a deleted root stays as a tombstone until its last reply is deleted", async () => {
  const app = await recordingApp();
  const { dev, call } = await inGeneral();
  dev.setEventsUrl(app.url);
  const root = await postAsApp(dev, GENERAL, { text: "root" });
  expect(await call("chat.getPermalink", { message_ts: root })).toMatchObject({
    permalink: expect.stringContaining(`/archives/${GENERAL}/p`),
  });
  const first = await postAsApp(dev, GENERAL, { text: "first", thread_ts: root });
  await call("chat.delete", { ts: root });
  const words = { user: "USLACKBOT", text: "This message was deleted." };
  const tombstone = { ts: root, subtype: "tombstone", hidden: true, ...words };
  expect(await call("conversations.history")).toMatchObject({
    messages: [{ ...tombstone, reply_count: 1, thread_ts: root }],
  });
  expect(await call("users.info", { user: "USLACKBOT" })).toMatchObject({ user: { is_bot: false } });
  const second = await postAsApp(dev, GENERAL, { text: "second", thread_ts: root });
  expect(await call("conversations.replies", { ts: root })).toMatchObject({
    messages: [tombstone, { ts: first }, { ts: second, thread_ts: root }],
  });
  for (const ts of [first, second]) await call("chat.delete", { ts });
  expect(await call("conversations.replies", { ts: root })).toMatchObject({ error: "thread_not_found" });
  await dev.control.idle();
  expect(app.requests.map(eventOf).filter(({ hidden }) => hidden === true)).toMatchObject([
    { subtype: "message_changed", message: tombstone, previous_message: { text: "root" } },
    { subtype: "message_deleted", deleted_ts: first },
    { subtype: "message_deleted", deleted_ts: second },
    { subtype: "message_deleted", deleted_ts: root, previous_message: tombstone },
  ]);
});

/** Shares a file in a channel; `get` downloads it as the bot. */
function shareFile(dev: DevSlack, channel: string) {
  const note = { name: "notes.txt", mimetype: "text/plain", content: "aGk=", encoding: "base64" as const };
  const [file] = dev.control.postMessage({ channel, text: "", files: [note] }).files ?? [];
  const url = file?.url_private_download ?? "";
  const headers = { authorization: `Bearer ${dev.botToken}` };
  return { id: file?.id, url, get: (at = url) => fetch(at, { headers, redirect: "manual" }) };
}
const typeOf = ({ headers }: Response): string | null => headers.get("content-type");

test("the bot sees a person's file only where it is a member, and needs files:read", async () => {
  const { dev, call } = await inGeneral();
  const [here, there] = [shareFile(dev, "general"), shareFile(dev, "random")];
  const got = await here.get();
  expect([typeOf(got), await got.text()]).toEqual(["text/plain; charset=utf-8", "hi"]);
  expect(await call("files.info", { file: here.id })).toMatchObject({ file: { user: "U0ALICE0001" } });
  expect((await here.get(here.url.replace(String(here.id), "F0NOWHERE01"))).status).toBe(404);
  const poor = await devSlackForTest({ scopes: ["chat:write"] });
  for (const page of [await there.get(), await shareFile(poor, "dm").get(), await fetch(here.url)])
    expect(typeOf(page)).toContain("text/html");
});

test("a planned fault of downloads occurs as often as planned, and only for the bot", async () => {
  const { dev } = await inGeneral();
  const { url, get } = shareFile(dev, "general");
  const plan = (kind: Parameters<typeof dev.control.setFileFault>[0]["kind"]) => dev.control.setFileFault({ kind });
  dev.control.setFileFault({ kind: "redirect", times: 2 });
  expect(typeOf(await fetch(url))).toContain("text/html");
  for (const status of [302, 302, 200]) expect((await get()).status).toBe(status);
  plan("disguised_page");
  const page = await get();
  expect([typeOf(page), (await page.text()).slice(0, 15)]).toEqual(["text/plain; charset=utf-8", "<!DOCTYPE html>"]);
  plan("other_type");
  expect((await (await get()).bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  plan("long_length");
  await expect(get().then((response) => response.text())).rejects.toThrow("terminated");
  for (const [kind, length] of [
    ["huge", "10000000000"],
    ["drip", null],
    ["endless", null],
  ] as const) {
    plan(kind);
    const answer = await get();
    expect(answer.headers.get("content-length")).toBe(length);
    await answer.body?.cancel();
  }
});
