import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp, streamForTest } from "../testing/dev-slack-for-test.ts";
import { recordingApp } from "../testing/recording-app.ts";

const TASK = { type: "task_update", id: "t1", title: "Read the file", status: "in_progress" };

test("text grows in the message, and the end makes it a message with blocks and metadata", async () => {
  const dev = await devSlackForTest();
  const { channel, thread_ts, append, stop, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "**On" });
  const shown = () => dev.control.messages({ channel, thread_ts }).at(-1);
  expect(shown()).toMatchObject({ ts, thread_ts, text: "**On", stream: { state: "in_progress", display: "timeline" } });
  expect(await append(ts, { markdown_text: "e**\n" })).toEqual({ ok: true, channel, ts });
  expect(await append(ts, { markdown_text: "\n" })).toMatchObject({ ok: true });
  expect(shown()).toMatchObject({ markdown_text: "**One**\n\n" });
  const metadata = { event_type: "answer", event_payload: { id: "a1" } };
  const blocks = [{ type: "divider" }];
  expect(await stop(ts, { markdown_text: "two", blocks, metadata })).toMatchObject({
    ok: true,
    ts,
    message: { text: "**One**\n\ntwo", streaming_state: "completed", metadata, thread_ts },
  });
  expect(shown()).toMatchObject({
    blocks: [{ type: "markdown", text: "**One**\n\ntwo" }, { type: "divider" }],
    stream: { state: "completed" },
  });
});

test("chunks make task cards, and in a plan one plan", async () => {
  const dev = await devSlackForTest();
  const { channel, thread_ts, append, started } = streamForTest(dev);
  const shown = () => dev.control.messages({ channel, thread_ts }).at(-1);
  const ts = await started({ chunks: [TASK, { type: "markdown_text", text: "hello" }] });
  await append(ts, { chunks: [{ ...TASK, status: "complete", output: "3 lines" }] });
  expect(shown()?.blocks).toMatchObject([
    { type: "task_card", task_id: "t1", status: "complete", output: { type: "rich_text" } },
    { type: "markdown", text: "hello" },
  ]);
  const planned = await started({ task_display_mode: "plan" });
  await append(planned, { chunks: [{ type: "plan_update", title: "Answer" }, TASK] });
  expect(shown()?.blocks).toMatchObject([{ type: "plan", title: "Answer", tasks: [{ title: "Read the file" }] }]);
});

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

test("a message that was deleted is streamed no further", async () => {
  const dev = await devSlackForTest();
  const { channel, append, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  expect(await callWebApi(dev, "chat.delete", { channel, ts })).toMatchObject({ ok: true });
  expect(await append(ts, { markdown_text: "b" })).toMatchObject({ error: "message_not_found" });
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
