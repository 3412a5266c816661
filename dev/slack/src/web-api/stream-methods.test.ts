import { describe, expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp, recordingApp, streamForTest } from "../testing/dev-slack-for-test.ts";

test("the app gets events at the start and the end of a stream", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const { append, stop, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  await append(ts, { markdown_text: "b" });
  await stop(ts);
  await dev.control.idle();
  const events = app.requests.map(({ body }) => (JSON.parse(body) as { event: Record<string, unknown> }).event);
  expect(events).toMatchObject([
    { text: "tell me" },
    { text: "a", streaming_state: "in_progress" },
    { subtype: "message_changed", message: { text: "ab", streaming_state: "completed" } },
  ]);
});

test("a stream makes its thread's session processing, and its end says what follows", async () => {
  const dev = await devSlackForTest();
  const { channel, thread_ts, start, stop } = streamForTest(dev);
  const statuses: string[] = [];
  dev.control.subscribe((event) => event.type === "status" && void statuses.push(event.status));
  for (const session_status of [undefined, "processing", "suspended", "closed"]) {
    const { ts } = await start({ markdown_text: "a" });
    expect(await stop(String(ts), session_status === undefined ? {} : { session_status })).toMatchObject({ ok: true });
  }
  expect(statuses.filter((_status, index) => index % 2 === 0)).toEqual(Array(4).fill("processing"));
  expect(statuses.filter((_status, index) => index % 2 === 1)).toEqual(["active", "processing", "suspended", "closed"]);
  const streams = dev.control.messages({ channel, thread_ts }).map(({ stream }) => stream?.continues);
  expect(streams).toEqual([undefined, undefined, true, undefined, undefined]);
});

test("Stop ends the streams of its thread, and the event names them", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const { channel, thread_ts, append, stop, started } = streamForTest(dev);
  const [done, ts] = [await started({ markdown_text: "a" }), await started({ markdown_text: "b" })];
  await stop(done);
  const elsewhere = streamForTest(dev);
  const other = await elsewhere.started({ markdown_text: "c" });
  dev.control.stop({ channel, thread_ts, user: "alice" });
  dev.control.stop({ channel, thread_ts, user: "alice" });
  expect(await append(ts, { markdown_text: "more" })).toMatchObject({ error: "stopped_by_user" });
  expect(await stop(ts)).toMatchObject({ error: "message_not_in_streaming_state" });
  expect(await append(other, { markdown_text: "more" })).toMatchObject({ ok: true });
  expect(dev.control.messages({ channel, thread_ts }).at(-1)).toMatchObject({
    text: "b",
    stream: { state: "stopped" },
  });
  await dev.control.idle();
  const stops = app.requests.flatMap(({ body }) => (body.includes("agent_session_stopped") ? [JSON.parse(body)] : []));
  expect(stops.map(({ event }) => event.streaming_message_ts)).toEqual([[ts], []]);
});

test("a stream ends when its time is up, however busy it is; then it can be updated", async () => {
  const dev = await devSlackForTest({ streamLifetimeMs: 150 });
  const { channel, append, stop, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  const update = () => callWebApi(dev, "chat.update", { channel, ts, text: "whole" });
  expect(await update()).toMatchObject({ error: "streaming_state_conflict" });
  const answers = await Array.fromAsync(
    (async function* () {
      for (;;) {
        const { error } = await append(ts, { markdown_text: "." });
        yield error;
        if (error !== undefined) return;
      }
    })(),
  );
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.at(-1)).toBe("message_not_in_streaming_state");
  expect(await stop(ts)).toMatchObject({ error: "message_not_in_streaming_state" });
  const expired = await callWebApi(dev, "conversations.replies", { channel, ts });
  expect(expired["messages"]).toContainEqual(expect.objectContaining({ ts, streaming_state: "errored" }));
  expect(await update()).toMatchObject({ ok: true, text: "whole" });
  expect(dev.control.messages({ channel }).at(-1)).not.toHaveProperty("stream");
});

test("only a message that the app streams takes more", async () => {
  const dev = await devSlackForTest();
  const { channel, thread_ts, append, stop, started } = streamForTest(dev);
  const posted = await postAsApp(dev, channel, { text: "posted", thread_ts });
  const ts = await started({ markdown_text: "a" });
  await stop(ts);
  for (const [of, error] of [
    [posted, "message_not_in_streaming_state"],
    [ts, "message_not_in_streaming_state"],
    [thread_ts, "message_not_owned_by_app"],
    ["1700000000.000100", "message_not_found"],
  ] as const) {
    expect(await append(of, { markdown_text: "b" })).toMatchObject({ error });
    expect(await stop(of)).toMatchObject({ error });
  }
});

const TASK = { type: "task_update", id: "t1", title: "Read", status: "complete" };
const MISMATCH = "streaming_mode_mismatch";
const text = (length: number) => "x".repeat(length);
const chunk = (length: number) => ({ type: "markdown_text", text: text(length) });
const dividers = (count: number) => Array.from({ length: count }, () => ({ type: "divider" }));
const blocks = (count: number) => ({ type: "blocks", blocks: dividers(count) });

describe("chat.startStream refuses", () => {
  test.each([
    ["a place that is not there", { channel: "D0NOWHERE01" }, "channel_not_found"],
    ["no thread", { thread_ts: "" }, "invalid_thread_ts"],
    ["text and chunks", { markdown_text: "a", chunks: [] }, "cannot_provide_both_markdown_text_and_chunks"],
    ["half a recipient", { recipient_user_id: "U0ALICE0001" }, "missing_recipient_team_id"],
    ["an unknown chunk", { chunks: [{ type: "text", text: "a" }] }, "invalid_chunks"],
    ["a task without a title", { chunks: [{ ...TASK, title: "" }] }, "invalid_chunks"],
    ["a bad block", { chunks: [{ type: "blocks", blocks: [{ type: "header" }] }] }, "invalid_blocks"],
    ["51 blocks in two chunks", { chunks: [blocks(25), blocks(26)] }, "msg_blocks_too_many"],
    ["text over 12,000 characters", { markdown_text: text(12_001) }, "msg_too_long"],
    ["long tasks beside text", { chunks: [chunk(1), { ...TASK, output: text(12_000) }] }, "msg_too_long"],
  ])("%s", async (_name, args, error) => {
    const dev = await devSlackForTest();
    const { channel, start } = streamForTest(dev);
    expect(await start(args)).toMatchObject({ ok: false, error });
    expect(dev.control.messages({ channel })).toHaveLength(1);
  });

  const alice = { recipient_user_id: "U0ALICE0001", recipient_team_id: "T0CROSSZONE" };
  test.each([
    ["general", {}, "missing_recipient_user_id"],
    ["general", { recipient_user_id: "U0ALICE0001" }, "missing_recipient_team_id"],
    ["general", { ...alice, recipient_user_id: "U0NOBODY001" }, "user_not_found"],
    ["partners", alice, "channel_type_not_supported"],
    ["old-project", alice, "is_archived"],
    ["random", alice, "not_in_channel"],
    ["general", alice, undefined],
  ])("in %s, to %j: %s", async (name, recipient, error) => {
    const dev = await devSlackForTest();
    const { channel, ts: thread_ts } = dev.control.postMessage({ channel: name, text: "tell us" });
    const answer = await callWebApi(dev, "chat.startStream", { channel, thread_ts, ...recipient });
    expect(answer["error"]).toBe(error);
  });
});

describe("a stream refuses", () => {
  const long = { markdown_text: text(11_000) };
  test.each([
    { name: "nothing", first: { markdown_text: "a" }, next: {}, error: "no_text" },
    { name: "text after chunks", first: { chunks: [TASK] }, next: { markdown_text: "a" }, error: MISMATCH },
    { name: "12,001 characters in all", first: long, next: { markdown_text: text(1_001) }, error: "msg_too_long" },
    {
      name: "51 blocks in all",
      first: { chunks: [blocks(50)] },
      next: { chunks: [blocks(1)] },
      error: "msg_blocks_too_many",
    },
  ])("$name", async ({ first, next, error }) => {
    const dev = await devSlackForTest();
    const { append, stop, started } = streamForTest(dev);
    const ts = await started(first);
    expect(await append(ts, next)).toMatchObject({ error });
    expect(await stop(ts)).toMatchObject({ ok: true });
  });

  test("takes the mode of its first content when it started without any", async () => {
    const dev = await devSlackForTest();
    const { append, stop, started } = streamForTest(dev);
    const ts = await started();
    expect(await stop(ts)).toMatchObject({ error: "no_text" });
    await append(ts, { markdown_text: "a" });
    expect(await append(ts, { chunks: [TASK] })).toMatchObject({ error: "streaming_mode_mismatch" });
    expect(await stop(await started(), { chunks: [chunk(1)] })).toMatchObject({ ok: true });
  });

  test.each([
    [{ blocks: "none" }, "invalid_blocks_format"],
    [{ blocks: dividers(51) }, "msg_blocks_too_many"],
    [{ metadata: { event_type: "" } }, "invalid_metadata_schema"],
    [{ session_status: "done" }, "invalid_arguments"],
  ])("chat.stopStream with %j: %s", async (args, error) => {
    const dev = await devSlackForTest();
    const { stop, started } = streamForTest(dev);
    const ts = await started({ markdown_text: "a" });
    expect(await stop(ts, args)).toMatchObject({ error });
    expect(await stop(ts)).toMatchObject({ ok: true });
  });
});
