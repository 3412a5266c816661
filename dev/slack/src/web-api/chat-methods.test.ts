import { describe, expect, test } from "vitest";
import { callWebApi, devSlackForTest, eventOf, postAsApp, recordingApp } from "../testing/dev-slack-for-test.ts";

const times = (length: number, value: object): object[] => Array.from({ length }, () => value);
const GENERAL = "C0GENERAL01";
const UNKNOWN = "1700000000.000100";
const TABLE = { type: "table", rows: [[{ type: "raw_text", text: "a" }]] };

describe("chat.postMessage", () => {
  test.each([
    ["nothing to say", { channel: GENERAL }, "no_text"],
    ["an unknown channel", { channel: "C0NOWHERE01", text: "hi" }, "channel_not_found"],
    ["a channel the bot is not in", { channel: "C0RANDOM001", text: "hi" }, "not_in_channel"],
    ["an archived channel", { channel: "C0ARCHIVE01", text: "hi" }, "is_archived"],
    ["a thread_ts that is none", { channel: GENERAL, text: "hi", thread_ts: "0" }, "invalid_thread_ts"],
    ["markdown beside text", { channel: GENERAL, text: "hi", markdown_text: "hi" }, "markdown_text_conflict"],
    ["markdown over 12,000", { channel: GENERAL, markdown_text: "x".repeat(12_001) }, "msg_too_long"],
    ["metadata that is no object", { channel: GENERAL, text: "hi", metadata: "no" }, "invalid_metadata_format"],
    [
      "metadata over 16 kB",
      { channel: GENERAL, text: "hi", metadata: { event_type: "a", event_payload: { a: "x".repeat(17_000) } } },
      "metadata_too_large",
    ],
    [
      "an attachment's bad block",
      { channel: GENERAL, attachments: [{ blocks: [{ type: "a" }] }] },
      "invalid_attachments",
    ],
    [
      "tables in two attachments",
      { channel: GENERAL, attachments: times(2, { blocks: [TABLE] }) },
      "invalid_attachments",
    ],
    ["101 attachments", { channel: GENERAL, attachments: times(101, { text: "a" }) }, "too_many_attachments"],
  ])("%s: refused", async (_name, args, error) => {
    const dev = await devSlackForTest();
    expect(await callWebApi(dev, "chat.postMessage", args)).toMatchObject({ ok: false, error });
    expect(dev.control.workspace().channels.flatMap(({ id }) => dev.control.messages({ channel: id }))).toEqual([]);
  });

  test("text over 40,000 characters is cut, with a warning", async () => {
    const dev = await devSlackForTest();
    const answer = await callWebApi(dev, "chat.postMessage", { channel: GENERAL, text: "x".repeat(40_001) });
    expect(answer).toMatchObject({ ok: true, warning: "message_truncated" });
    expect(dev.control.messages({ channel: GENERAL })[0]?.text).toHaveLength(40_000);
  });
});

describe("chat.update", () => {
  test("new text replaces blocks and marks the message as edited; metadata stays until it is removed", async () => {
    const dev = await devSlackForTest();
    const metadata = { event_type: "task", event_payload: { id: "t1" } };
    const ts = await postAsApp(dev, GENERAL, { text: "a", blocks: [{ type: "divider" }], metadata });
    const stored = () => dev.control.messages({ channel: GENERAL })[0];
    await callWebApi(dev, "chat.update", { channel: GENERAL, ts, text: "b" });
    expect(stored()).toMatchObject({ text: "b", metadata, edited: { user: "U0CROSSZONE" } });
    expect(stored()).not.toHaveProperty("blocks");
    await callWebApi(dev, "chat.update", { channel: GENERAL, ts, markdown_text: "*c*" });
    await callWebApi(dev, "chat.update", { channel: GENERAL, ts, metadata: {} });
    expect(stored()).toMatchObject({ text: "*c*", markdown_text: "*c*" });
    expect(stored()).not.toHaveProperty("metadata");
    await callWebApi(dev, "chat.update", { channel: GENERAL, ts, text: "d", blocks: [{ type: "divider" }] });
    expect(stored()).toMatchObject({ text: "d", blocks: [{ type: "divider" }] });
    expect(stored()).not.toHaveProperty("edited");
    expect(stored()).not.toHaveProperty("markdown_text");
  });

  test("refuses others' messages, unknown ones, empty and long text, and archived channels", async () => {
    const dev = await devSlackForTest();
    const person = dev.control.postMessage({ channel: GENERAL, text: "mine" });
    const archived = dev.control.postMessage({ channel: "old-project", text: "old" });
    const ts = await postAsApp(dev, GENERAL, { text: "a" });
    const update = async (args: Record<string, unknown>) =>
      (await callWebApi(dev, "chat.update", { channel: GENERAL, ts, ...args }))["error"];
    expect(await update({ ts: person.ts, text: "b" })).toBe("cant_update_message");
    expect(await update({ ts: UNKNOWN, text: "b" })).toBe("message_not_found");
    expect(await update({ channel: "C0ARCHIVE01", ts: archived.ts, text: "b" })).toBe("is_inactive");
    expect(await update({})).toBe("no_text");
    expect(await update({ text: "x".repeat(4001) })).toBe("msg_too_long");
    expect(await update({ text: "x".repeat(4000) })).toBeUndefined();
  });
});

test("an ephemeral message is for one member, and is not in the history", async () => {
  const dev = await devSlackForTest();
  const post = (user: string) => callWebApi(dev, "chat.postEphemeral", { channel: GENERAL, user, text: "psst" });
  const { message_ts } = await post("U0ALICE0001");
  expect(dev.control.messages({ channel: GENERAL })).toMatchObject([{ ts: message_ts, ephemeral_for: "U0ALICE0001" }]);
  expect(await callWebApi(dev, "conversations.history", { channel: GENERAL })).toMatchObject({ messages: [] });
  expect(await callWebApi(dev, "chat.update", { channel: GENERAL, ts: message_ts, text: "x" })).toMatchObject({
    error: "message_not_found",
  });
  expect(await post("U0STRANGER1")).toMatchObject({ error: "user_not_in_channel" });
  expect(await post("U0NOBODY001")).toMatchObject({ error: "user_not_found" });
});

test("an ephemeral message appears in a thread only if the thread has replies", async () => {
  const dev = await devSlackForTest();
  const { ts: thread_ts } = dev.control.postMessage({ channel: GENERAL, text: "root" });
  const post = () =>
    callWebApi(dev, "chat.postEphemeral", { channel: GENERAL, user: "U0ALICE0001", text: "psst", thread_ts });
  expect(await post()).toMatchObject({ ok: true });
  expect(dev.control.messages({ channel: GENERAL })).toHaveLength(1);
  dev.control.postMessage({ channel: GENERAL, text: "reply", thread_ts });
  const { message_ts } = await post();
  expect(dev.control.messages({ channel: GENERAL, thread_ts }).at(-1)).toMatchObject({ ts: message_ts, thread_ts });
});

test("conversations.info has what a policy needs", async () => {
  const dev = await devSlackForTest();
  const info = async (channel: string) => await callWebApi(dev, "conversations.info", { channel });
  expect(await info("C0GENERAL01")).toMatchObject({
    channel: { id: "C0GENERAL01", is_channel: true, is_member: true, is_archived: false, is_ext_shared: false },
  });
  expect(await info("C0RANDOM001")).toMatchObject({ channel: { is_member: false } });
  expect(await info("C0ARCHIVE01")).toMatchObject({ channel: { is_archived: true } });
  expect(await info("C0SHARED001")).toMatchObject({
    channel: { is_ext_shared: true, is_shared: true, shared_team_ids: ["T0CROSSZONE", "T0PARTNERS1"] },
  });
  expect(await info("C0PRIVATE01")).toMatchObject({ channel: { is_private: true, is_group: true } });
  expect(await info("D0GONE00001")).toMatchObject({
    channel: { is_im: true, user: "U0GONE00001", is_user_deleted: true },
  });
  expect(await info("general")).toMatchObject({ ok: false, error: "channel_not_found" });
});

async function textsOf(answer: Promise<Record<string, unknown>>): Promise<unknown> {
  const { messages, error } = await answer;
  return error ?? (messages as { text: string }[]).map(({ text }) => text);
}

test("the history has the newest first and no replies; a thread has its root and the oldest reply first", async () => {
  const dev = await devSlackForTest();
  const root = dev.control.postMessage({ channel: GENERAL, user: "bob", text: "root" }).ts;
  await postAsApp(dev, GENERAL, { text: "one", thread_ts: root });
  const last = dev.control.postMessage({ channel: GENERAL, user: "alice", text: "two", thread_ts: root }).ts;
  dev.control.postMessage({ channel: GENERAL, text: "later" });
  const history = await callWebApi(dev, "conversations.history", { channel: GENERAL });
  expect(history).toMatchObject({
    has_more: false,
    messages: [
      { text: "later" },
      {
        text: "root",
        reply_count: 2,
        reply_users: ["U0CROSSZONE", "U0ALICE0001"],
        latest_reply: last,
        thread_ts: root,
      },
    ],
  });
  const replies = (ts: string) => textsOf(callWebApi(dev, "conversations.replies", { channel: GENERAL, ts }));
  expect(await replies(root)).toEqual(["root", "one", "two"]);
  expect(await replies(last)).toEqual(["root", "one", "two"]);
  expect(await replies(UNKNOWN)).toBe("thread_not_found");
});

test("oldest, latest and inclusive choose; a page has a cursor for the next", async () => {
  const dev = await devSlackForTest();
  const [a, b, c] = ["a", "b", "c"].map((text) => dev.control.postMessage({ channel: GENERAL, text }).ts);
  const history = (args: Record<string, unknown>) =>
    callWebApi(dev, "conversations.history", { channel: GENERAL, ...args });
  expect(await textsOf(history({ oldest: a }))).toEqual(["c", "b"]);
  expect(await textsOf(history({ oldest: a, inclusive: true }))).toEqual(["c", "b", "a"]);
  expect(await textsOf(history({ latest: b, inclusive: 1, limit: 1 }))).toEqual(["b"]);
  expect(await textsOf(history({ oldest: b, latest: c }))).toEqual([]);
  expect(await textsOf(history({ oldest: "yesterday" }))).toBe("invalid_ts_oldest");
  for (let count = 0; count < 201; count++) dev.control.postMessage({ channel: "leads", text: "a" });
  const full = await callWebApi(dev, "conversations.history", { channel: "C0PRIVATE01", limit: 999 });
  expect([full["messages"], full["has_more"]]).toEqual([expect.objectContaining({ length: 200 }), true]);
  const page = await history({ limit: 2 });
  expect(page).toMatchObject({ has_more: true });
  const { next_cursor } = page["response_metadata"] as { next_cursor: string };
  expect(await textsOf(history({ limit: 2, cursor: next_cursor }))).toEqual(["a"]);
});

test("an app lists its own conversations by type, page by page, with the scope of each type", async () => {
  const dev = await devSlackForTest({ scopes: ["channels:read", "im:read"] });
  const list = (args: Record<string, unknown>) => callWebApi(dev, "users.conversations", args);
  const idsOf = (answer: Record<string, unknown>) => (answer["channels"] as { id: string }[]).map(({ id }) => id);
  const all = idsOf(await list({}));
  expect(all).toContain(GENERAL);
  expect(all).not.toContain("C0RANDOM001");
  expect(idsOf(await list({ exclude_archived: true }))).toEqual(all.filter((id) => id !== "C0ARCHIVE01"));
  expect(idsOf(await list({ types: "im" })).every((id) => id.startsWith("D"))).toBe(true);
  const first = await list({ limit: 1 });
  const { next_cursor: cursor } = first["response_metadata"] as { next_cursor: string };
  expect([...idsOf(first), ...idsOf(await list({ limit: 999, cursor }))]).toEqual(all);
  expect(await list({ types: "private_channel" })).toMatchObject({ error: "missing_scope", needed: "groups:read" });
  expect(await list({ types: "public" })).toMatchObject({ error: "invalid_types" });
});

test("metadata is returned only on request", async () => {
  const dev = await devSlackForTest();
  const metadata = { event_type: "task", event_payload: { id: "t1" } };
  const ts = await postAsApp(dev, GENERAL, { text: "working", metadata });
  const replies = (args: object) => callWebApi(dev, "conversations.replies", { channel: GENERAL, ts, ...args });
  expect(await replies({ include_all_metadata: true })).toMatchObject({ messages: [{ metadata }] });
  expect(JSON.stringify(await replies({}))).not.toContain("metadata");
});

test("only members read", async () => {
  const dev = await devSlackForTest();
  const history = (channel: string) => callWebApi(dev, "conversations.history", { channel });
  expect(await history("C0RANDOM001")).toMatchObject({ error: "not_in_channel" });
  expect(await history("C0NOWHERE01")).toMatchObject({ error: "channel_not_found" });
});

const recipient = { recipient_user_id: "U0ALICE0001", recipient_team_id: "T0CROSSZONE" };
const gone = { error: "message_not_found" };

test("a message for a thread that is gone is posted outside of it, without an error", async () => {
  const dev = await devSlackForTest();
  const { ts } = dev.control.postMessage({ channel: GENERAL, user: "alice", text: "secret question" });
  dev.control.deleteMessage({ channel: GENERAL, ts, user: "alice" });
  for (const thread_ts of [ts, UNKNOWN]) {
    const place = { channel: GENERAL, thread_ts };
    const { ok, message } = await callWebApi(dev, "chat.postMessage", { ...place, text: "answer" });
    expect({ ok, message }).toEqual({
      ok: true,
      message: expect.not.objectContaining({ thread_ts: expect.anything() }),
    });
    const started = await callWebApi(dev, "chat.startStream", { ...place, ...recipient });
    expect(started).toMatchObject({ error: "invalid_thread_ts" });
    const ephemeral = { ...place, user: "U0ALICE0001", text: "psst" };
    expect(await callWebApi(dev, "chat.postEphemeral", ephemeral)).toMatchObject({ ok: true });
  }
  const { messages } = await callWebApi(dev, "conversations.history", { channel: GENERAL });
  expect(messages).toMatchObject([{ text: "answer" }, { text: "answer" }]);
  expect(dev.control.messages({ channel: GENERAL })).toHaveLength(2);
});

test("a message that is gone has no link, and is neither changed nor deleted again", async () => {
  const dev = await devSlackForTest();
  const ts = await postAsApp(dev, GENERAL, { text: "a" });
  const link = () => callWebApi(dev, "chat.getPermalink", { channel: GENERAL, message_ts: ts });
  expect(await link()).toMatchObject({ ok: true, permalink: expect.stringContaining(`/archives/${GENERAL}/p`) });
  expect(await callWebApi(dev, "chat.delete", { channel: GENERAL, ts })).toMatchObject({ ok: true });
  expect(await link()).toMatchObject(gone);
  for (const method of ["chat.update", "chat.delete"])
    expect(await callWebApi(dev, method, { channel: GENERAL, ts, text: "b" })).toMatchObject(gone);
});

test("a deleted root stays as a tombstone until its last reply is deleted", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const root = await postAsApp(dev, GENERAL, { text: "root" });
  const first = await postAsApp(dev, GENERAL, { text: "first", thread_ts: root });
  const remove = (ts: string) => callWebApi(dev, "chat.delete", { channel: GENERAL, ts });
  await remove(root);
  const tombstone = {
    ts: root,
    subtype: "tombstone",
    user: "USLACKBOT",
    text: "This message was deleted.",
    hidden: true,
  };
  expect(await callWebApi(dev, "conversations.history", { channel: GENERAL })).toMatchObject({
    messages: [{ ...tombstone, reply_count: 1, thread_ts: root }],
  });
  expect(await callWebApi(dev, "users.info", { user: "USLACKBOT" })).toMatchObject({ user: { is_bot: false } });
  const second = await postAsApp(dev, GENERAL, { text: "second", thread_ts: root });
  const replies = () => callWebApi(dev, "conversations.replies", { channel: GENERAL, ts: root });
  expect(await replies()).toMatchObject({ messages: [tombstone, { ts: first }, { ts: second, thread_ts: root }] });
  for (const method of ["chat.update", "chat.delete"])
    expect(await callWebApi(dev, method, { channel: GENERAL, ts: root, text: "b" })).toMatchObject(gone);
  await remove(first);
  await remove(second);
  expect(await replies()).toMatchObject({ error: "thread_not_found" });
  await dev.control.idle();
  const changes = app.requests.map(eventOf).filter(({ hidden }) => hidden === true);
  expect(changes).toMatchObject([
    { subtype: "message_changed", message: tombstone, previous_message: { text: "root" } },
    { subtype: "message_deleted", deleted_ts: first },
    { subtype: "message_deleted", deleted_ts: second },
    { subtype: "message_deleted", deleted_ts: root, previous_message: tombstone },
  ]);
});
