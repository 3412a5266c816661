import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";

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

const GENERAL = "C0GENERAL01";

async function textsOf(answer: Promise<Record<string, unknown>>): Promise<unknown> {
  const { messages, error } = await answer;
  return error ?? (messages as { text: string }[]).map(({ text }) => text);
}

test("conversations.open finds the direct message with a person, or makes one", async () => {
  const dev = await devSlackForTest();
  const open = (users: string) => callWebApi(dev, "conversations.open", { users });
  expect(await open("U0BOB000001")).toMatchObject({ channel: { id: "D0BOB000001" } });
  const { id } = dev.control.putUser({ id: "U0NEW000001" });
  expect(await open(id)).toEqual(await open(id));
  expect(await open("U0NOBODY001")).toMatchObject({ error: "user_not_found" });
});

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
  expect(await replies("1700000000.000100")).toBe("thread_not_found");
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
  const page = await history({ limit: 2 });
  expect(page).toMatchObject({ has_more: true });
  const { next_cursor } = page["response_metadata"] as { next_cursor: string };
  expect(await textsOf(history({ limit: 2, cursor: next_cursor }))).toEqual(["a"]);
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
