import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";
import { recordingApp } from "../testing/recording-app.ts";

const GENERAL = "C0GENERAL01";
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

test("a scheduled message is posted at its time, in its thread, and the app gets an event", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const thread_ts = await postAsApp(dev, GENERAL, { text: "root" });
  const post_at = inSeconds(2);
  const schedule = (args: object) => callWebApi(dev, "chat.scheduleMessage", { channel: GENERAL, post_at, ...args });
  expect(await schedule({ markdown_text: "**later**", thread_ts })).toMatchObject({
    ok: true,
    channel: GENERAL,
    scheduled_message_id: expect.stringMatching(/^Q/),
    post_at,
    message: { text: "**later**", type: "delayed_message" },
  });
  expect(dev.control.messages({ channel: GENERAL })).toHaveLength(1);
  const posted = await dev.control.waitForMessage(({ text }) => text === "**later**");
  expect(posted).toMatchObject({ thread_ts, markdown_text: "**later**", bot_id: "B0CROSSZONE" });
  expect(Number(posted.ts)).toBeGreaterThanOrEqual(post_at);
  expect(await callWebApi(dev, "chat.scheduledMessages.list")).toMatchObject({ scheduled_messages: [] });
  await dev.control.idle();
  expect(app.requests.at(-1)?.body).toContain("**later**");
});

test("the app cannot post where it has lost its permission", async () => {
  const dev = await devSlackForTest();
  const { members } = dev.control.putChannel({ id: "C0NEW000001", members: ["U0CROSSZONE"] });
  await callWebApi(dev, "chat.scheduleMessage", { channel: "C0NEW000001", post_at: inSeconds(1), text: "later" });
  members.pop();
  await expect(dev.control.waitForMessage(({ text }) => text === "later", 1_500)).rejects.toThrow(
    "no matching message",
  );
});

test("scheduled messages are listed in the order of their time, and deleted a minute before it at the latest", async () => {
  const dev = await devSlackForTest();
  const schedule = async (seconds: number, channel = GENERAL) => {
    const args = { channel, post_at: inSeconds(seconds), text: `in ${seconds}` };
    return String((await callWebApi(dev, "chat.scheduleMessage", args))["scheduled_message_id"]);
  };
  const [late, soon, other] = [await schedule(3_000), await schedule(50), await schedule(2_000, "D0ALICE0001")];
  const list = async (args: object = {}) => {
    const { scheduled_messages, error } = await callWebApi(dev, "chat.scheduledMessages.list", { ...args });
    return error ?? (scheduled_messages as { id: string }[]).map(({ id }) => id);
  };
  expect(await list()).toEqual([soon, other, late]);
  expect(await list({ channel: GENERAL })).toEqual([soon, late]);
  expect(await list({ oldest: inSeconds(100), latest: inSeconds(2_500) })).toEqual([other]);
  expect(await list({ channel: "C0NOWHERE01" })).toBe("invalid_channel");
  const remove = (id: string, channel = GENERAL) =>
    callWebApi(dev, "chat.deleteScheduledMessage", { channel, scheduled_message_id: id });
  const error = "invalid_scheduled_message_id";
  expect(await remove(soon)).toMatchObject({ error });
  expect(await remove(other)).toMatchObject({ error });
  expect(await remove(late)).toEqual({ ok: true });
  expect(await remove(late)).toMatchObject({ error });
  expect(await list()).toEqual([soon, other]);
});

test.each([
  ["what is no time", { post_at: "tomorrow" }, "invalid_time"],
  ["the past", { post_at: inSeconds(-1) }, "time_in_past"],
  ["more than 120 days ahead", { post_at: inSeconds(121 * 24 * 3600) }, "time_too_far"],
  ["no time", { post_at: "" }, "invalid_arguments"],
  ["no text", { text: "" }, "no_text"],
  ["text and Markdown", { markdown_text: "a" }, "markdown_text_conflict"],
  ["a channel it is not in", { channel: "C0RANDOM001" }, "not_in_channel"],
  ["an archived channel", { channel: "C0ARCHIVE01" }, "is_archived"],
  ["another thread", { thread_ts: "1700000000.000100" }, "thread_not_found"],
])("chat.scheduleMessage refuses %s", async (_name, args, error) => {
  const dev = await devSlackForTest();
  const message = { channel: GENERAL, post_at: inSeconds(500), text: "later", ...args };
  expect(await callWebApi(dev, "chat.scheduleMessage", message)).toMatchObject({ ok: false, error });
});

test("at most 30 messages of one channel wait for the same five minutes", async () => {
  const dev = await devSlackForTest();
  const post_at = Math.ceil(inSeconds(1_000) / 300) * 300;
  const schedule = (args: object) =>
    callWebApi(dev, "chat.scheduleMessage", { channel: GENERAL, post_at, text: "later", ...args });
  for (let count = 0; count < 30; count += 1) expect(await schedule({})).toMatchObject({ ok: true });
  expect(await schedule({ post_at: post_at + 299 })).toMatchObject({ error: "restricted_too_many" });
  expect(await schedule({ post_at: post_at + 300 })).toMatchObject({ ok: true });
  expect(await schedule({ channel: "D0ALICE0001" })).toMatchObject({ ok: true });
});
