import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, eventOf, postAsApp, recordingApp } from "../testing/dev-slack-for-test.ts";

const GENERAL = "C0GENERAL01";
const UNKNOWN = "1700000000.000100";
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
