import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";

const GENERAL = "C0GENERAL01";

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
