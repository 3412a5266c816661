import { describe, expect, test } from "vitest";
import { callWebApi, devSlackForTest, streamForTest } from "../testing/dev-slack-for-test.ts";

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
    ["what is no thread", { thread_ts: "yesterday" }, "invalid_thread_ts"],
    ["another thread", { thread_ts: "1700000000.000100" }, "thread_not_found"],
    ["an unknown display", { task_display_mode: "grid" }, "invalid_arguments"],
    ["text and chunks", { markdown_text: "a", chunks: [] }, "cannot_provide_both_markdown_text_and_chunks"],
    ["half a recipient", { recipient_user_id: "U0ALICE0001" }, "missing_recipient_team_id"],
    ["chunks that are no list", { chunks: "text" }, "invalid_chunks"],
    ["an unknown chunk", { chunks: [{ type: "text", text: "a" }] }, "invalid_chunks"],
    ["an unknown status", { chunks: [{ ...TASK, status: "done" }] }, "invalid_chunks"],
    ["a task without a title", { chunks: [{ ...TASK, title: "" }] }, "invalid_chunks"],
    ["a source that is no link", { chunks: [{ ...TASK, sources: ["https://a.example"] }] }, "invalid_chunks"],
    ["a bad block", { chunks: [{ type: "blocks", blocks: [{ type: "header" }] }] }, "invalid_blocks"],
    ["51 blocks in two chunks", { chunks: [blocks(25), blocks(26)] }, "msg_blocks_too_many"],
    ["text over 12,000 characters", { markdown_text: text(12_001) }, "msg_too_long"],
    ["a chunk over 12,000 characters", { chunks: [chunk(12_001)] }, "msg_too_long"],
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
    ["general", { ...alice, recipient_team_id: "T0OTHERTEAM" }, "user_not_found"],
    ["G0MPIM00001", {}, "missing_recipient_user_id"],
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
    { name: "an empty list", first: { chunks: [TASK] }, next: { chunks: [] }, error: "no_text" },
    { name: "chunks after text", first: { markdown_text: "a" }, next: { chunks: [TASK] }, error: MISMATCH },
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

  test("long tasks only next to text", async () => {
    const dev = await devSlackForTest();
    const { append, started } = streamForTest(dev);
    const ts = await started({ chunks: [{ ...TASK, details: text(40_000) }] });
    expect(await append(ts, { chunks: [chunk(1)] })).toMatchObject({ error: "msg_too_long" });
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

test("streams need the scope chat:write, and have the rates of their tiers", async () => {
  const mute = await devSlackForTest({ scopes: ["im:history"] });
  expect(await streamForTest(mute).start()).toMatchObject({ error: "missing_scope", needed: "chat:write" });
  const hasty = { burst: 2, per_minute: 20 };
  const dev = await devSlackForTest({ rateLimits: { tier_2: hasty, tier_4: { burst: 1, per_minute: 100 } } });
  const { append, stop, started, start } = streamForTest(dev);
  const ts = await started({ markdown_text: "a" });
  await started({ markdown_text: "b" });
  expect(await start()).toMatchObject({ error: "ratelimited" });
  expect(await append(ts, { markdown_text: "b" })).toMatchObject({ ok: true });
  expect(await append(ts, { markdown_text: "c" })).toMatchObject({ error: "ratelimited" });
  expect(await stop(ts)).toMatchObject({ ok: true });
});

test("what a workspace forbids, and what fails in Slack, are faults", async () => {
  const dev = await devSlackForTest();
  const { channel, start } = streamForTest(dev);
  for (const error of ["restricted_action_read_only_channel", "messages_tab_disabled"]) {
    dev.control.setFault({ method: "chat.startStream", kind: "error", error });
    expect(await start()).toMatchObject({ ok: false, error });
  }
  expect(dev.control.messages({ channel })).toHaveLength(1);
  const failed = { kind: "error", error: "messaging_processing_failed", takes_effect: true } as const;
  dev.control.setFault({ method: "chat.startStream", ...failed });
  expect(await start()).toMatchObject({ ok: false, error: "messaging_processing_failed" });
  expect(dev.control.messages({ channel })).toHaveLength(2);
});
