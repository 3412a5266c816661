import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, eventOf, recordingApp, streamForTest } from "../testing/dev-slack-for-test.ts";

test("the app gets events at the start and the end of a stream", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const { append, stop, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  await append(ts, { markdown_text: "b" });
  await stop(ts);
  await dev.control.idle();
  expect(app.requests.map(eventOf)).toMatchObject([
    { text: "tell me" },
    { text: "a", streaming_state: "in_progress" },
    { subtype: "message_changed", message: { text: "ab", streaming_state: "completed" } },
  ]);
});

test("a stream without content takes the mode of the first; a message has at most 50 blocks, those at its end included", async () => {
  const dev = await devSlackForTest();
  const { append, stop, started } = streamForTest(dev);
  const ts = await started();
  expect(await append(ts, { markdown_text: Array(49).fill("---").join("\n\n") })).toMatchObject({ ok: true });
  expect(await append(ts, { chunks: [] })).toMatchObject({ error: "no_text" });
  const chunks = [{ type: "markdown_text", text: "a" }];
  expect(await append(ts, { chunks })).toMatchObject({ error: "streaming_mode_mismatch" });
  const tooMany = { error: "msg_blocks_too_many" };
  expect(await append(ts, { markdown_text: "\n\na\n\n---" })).toMatchObject(tooMany);
  expect(await stop(ts, { blocks: [{ type: "divider" }, { type: "divider" }] })).toMatchObject(tooMany);
  expect(await stop(ts, { blocks: [{ type: "divider" }] })).toMatchObject({ ok: true });
});

test("a stream makes its thread's session processing, and its end says what follows", async () => {
  const dev = await devSlackForTest();
  const { channel, thread_ts, started, stop } = streamForTest(dev);
  const statuses: string[] = [];
  dev.control.subscribe((event) => event.type === "status" && void statuses.push(event.status));
  const ends = ["active", "processing", "suspended", "closed"];
  for (const session_status of ends) await stop(await started({ markdown_text: "a" }), { session_status });
  expect(statuses).toEqual(ends.flatMap((status) => ["processing", status]));
  const streams = dev.control.messages({ channel, thread_ts }).map(({ stream }) => stream?.continues);
  expect(streams).toEqual([undefined, undefined, true, undefined, undefined]);
});

test("Stop ends the streams of its thread, and the event names them", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const { channel, thread_ts, append, stop, started } = streamForTest(dev);
  const [done, ts] = [await started({ markdown_text: "a" }), await started({ markdown_text: "b" })];
  await stop(done);
  const other = await streamForTest(dev).started({ markdown_text: "c" });
  for (let presses = 0; presses < 2; presses += 1) dev.control.stop({ channel, thread_ts, user: "alice" });
  const more = { markdown_text: "more" };
  expect(await append(ts, more)).toMatchObject({ error: "stopped_by_user" });
  expect(await stop(ts)).toMatchObject({ error: "message_not_in_streaming_state" });
  expect(await append(other, more)).toMatchObject({ ok: true });
  const stopped = { text: "b", stream: { state: "stopped" } };
  expect(dev.control.messages({ channel, thread_ts }).at(-1)).toMatchObject(stopped);
  await dev.control.idle();
  const stops = app.requests.map(eventOf).filter(({ type }) => type === "agent_session_stopped");
  expect(stops.map((event) => event["streaming_message_ts"])).toEqual([[ts], []]);
});

test("a stream ends when its time is up, however busy it is; then it can be updated", async () => {
  const dev = await devSlackForTest({ streamLifetimeMs: 150 });
  const { channel, append, stop, started } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  let appended = 0;
  let error: unknown;
  for (; error === undefined; appended += 1) ({ error } = await append(ts, { markdown_text: "." }));
  expect([appended > 1, error]).toEqual([true, "message_not_in_streaming_state"]);
  expect(await stop(ts)).toMatchObject({ error });
  const expired = await callWebApi(dev, "conversations.replies", { channel, ts });
  expect(expired["messages"]).toContainEqual(expect.objectContaining({ ts, streaming_state: "errored" }));
  const updated = await callWebApi(dev, "chat.update", { channel, ts, text: "whole" });
  expect(updated).toMatchObject({ ok: true, text: "whole" });
  expect(dev.control.messages({ channel }).at(-1)).not.toHaveProperty("stream");
});
