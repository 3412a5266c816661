import { type Clock, systemClock } from "@crosszone/service-kit/timing";
import { describe, expect, test } from "vitest";
import { createMarkedMessages, type MarkedMessages, type Posting } from "./marked-messages.ts";
import { LeaseLostError } from "../inbox/record-ends.ts";
import type { RepliesQuery } from "../slack/slack-api.ts";
import type { SlackCallError } from "../slack/slack-call-error.ts";
import { createFakeSlack, newTs, type FakeSlack } from "../testing/fake-slack.ts";

const thread = { channel: "C1", thread_ts: "1.0", after: "1.0" };

const file = { filename: "answer-1.md", content: "all of it", doubtful: false };

/** More than the retries of a file. */
const often = 20;

const mark = { request_id: "r1", correlation_id: "c1", state: "done" } as const;
const posting = (more: Partial<Posting> = {}): Posting => ({
  message: { markdown_text: "answer", mark },
  budgetMs: 60_000,
  doubtful: false,
  ...more,
});

function setUp(leave = new AbortController().signal): { slack: FakeSlack; messages: MarkedMessages; slept: number[] } {
  const slack = createFakeSlack();
  slack.say({ ts: "1.0", text: "question" });
  const slept: number[] = [];
  let now = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      slept.push(ms);
    },
  };
  return { slack, messages: createMarkedMessages({ slack, clock, thread, leave }), slept };
}

describe("attach file", () => {
  test("S12: a file whose last attempt succeeded without a response is not reported as missing", async () => {
    const { slack, messages } = setUp();
    slack.failNext("upload", "unavailable");
    slack.failNext("upload", "unavailable");
    slack.failNext("upload", "unavailable", { anyway: true });
    await messages.attach(file);
    expect(slack.uploads).toEqual([{ filename: "answer-1.md", content: "all of it" }]);
  });

  test("a file that Slack refuses is reported as missing; so is a file that can't be searched for", async () => {
    const { slack, messages } = setUp();
    for (let tries = 0; tries < often; tries++) slack.failNext("upload", "unavailable");
    await expect(messages.attach(file)).rejects.toMatchObject({ failure: "unavailable" });
    expect(slack.uploads).toEqual([]);
    const unread = setUp();
    for (let tries = 0; tries < often; tries++) unread.slack.failNext("replies", "unavailable");
    unread.slack.failNext("upload", "unavailable", { anyway: true });
    await expect(unread.messages.attach(file)).rejects.toMatchObject({ failure: "unavailable" });
  });
});

test("S12: a post whose response was lost is found by its mark and not posted again", async () => {
  const { slack, messages } = setUp();
  slack.failNext("post", "unavailable", { anyway: true });
  const { ts } = await messages.post(posting());
  expect(slack.answers().map((one) => one.ts)).toEqual([ts]);
  expect(slack.calls).toEqual(["post", "replies"]);
});

test("W4: an answer to a question that was just deleted lands in the channel; it stayed there when its response was lost", async () => {
  const { slack, messages } = setUp();
  const { post } = slack;
  Object.assign(slack, { post: ({ channel }: typeof thread, said: Posting["message"]) => post({ channel }, said) });
  slack.failNext("post", "unavailable", { anyway: true });
  slack.failNext("post", "refused", { code: "posted_elsewhere" });
  slack.failNext("remove", "unavailable");
  await expect(messages.post(posting())).rejects.toMatchObject({ code: "posted_elsewhere" });
  const left = await slack.replies({ channel: "C1", limit: 10 });
  expect(left.messages.map(({ raw }) => raw["text"])).toEqual([]);
});

test.each([
  ["is searched again", (messages: MarkedMessages) => messages.post(posting({ doubtful: true })), "thread_not_found"],
  ["is withdrawn", (messages: MarkedMessages) => messages.remove(mark), true],
])("W4: so do two whose responses were both lost; nothing stays in the channel when the thread %s", async (...row) => {
  const [, act, end] = row;
  const { slack, messages } = setUp();
  const { post } = slack;
  Object.assign(slack, { post: ({ channel }: typeof thread, said: Posting["message"]) => post({ channel }, said) });
  for (const lost of [posting({ budgetMs: 0 }), posting({ budgetMs: 0 })]) {
    slack.failNext("post", "unavailable", { anyway: true });
    await expect(messages.post(lost)).rejects.toMatchObject({ failure: "unavailable" });
  }
  const other = await post({ channel: "C1" }, { text: "of another question", mark: { ...mark, request_id: "r2" } });
  await slack.remove({ channel: "C1", ts: "1.0" });
  expect(await act(messages).catch(({ code }: SlackCallError) => code)).toBe(end);
  expect((await slack.replies({ channel: "C1", limit: 10 })).messages.map(({ ts }) => ts)).toEqual([other.ts]);
  expect(await messages.remove(mark)).toBe(false);
  expect(await messages.find(mark)).toBeUndefined();
});

test("a rate limit is waited out as long as Slack requires, without a search of the thread", async () => {
  const { slack, messages, slept } = setUp();
  slack.failNext("post", "rate_limited", { retryAfterMs: 7_000 });
  await messages.post(posting());
  expect(slept[0]).toBeGreaterThanOrEqual(7_000);
  expect(slack.calls).toEqual(["post", "post"]);
});

test("before a doubtful post every page of the thread is searched; marks of other parts don't match", async () => {
  const { slack, messages } = setUp();
  for (let count = 0; count < 250; count += 1) slack.say({ ts: newTs(), thread_ts: "1.0", text: "chatter" });
  const { ts } = await slack.post(thread, posting().message);
  const second = { markdown_text: "more", mark: { ...mark, part: 2, parts: 2 } };
  expect(await messages.post(posting({ doubtful: true }))).toEqual({ ts, state: "done" });
  expect((await messages.post(posting({ doubtful: true, message: second }))).ts).not.toBe(ts);
});

test("a message that can no longer be edited is not mistaken for the answer that replaces it", async () => {
  const { slack, messages } = setUp();
  const { ts } = await slack.post(thread, { text: "Working on it…", mark: { ...mark, state: "working" } });
  slack.failNext("update", "refused", { code: "edit_window_closed" });
  slack.failNext("post", "unavailable");
  await messages.replace(ts, posting());
  expect(slack.answers().map(({ text }) => text)).toEqual(["Working on it…", "answer"]);
});

test("a stream that Slack reports as ended and live is stopped again, and its message becomes the answer", async () => {
  const { slack, messages } = setUp();
  const { ts } = await slack.startStream(thread, { chunks: [] });
  slack.failNext("stopStream", "refused", { code: "message_not_in_streaming_state" });
  await messages.replace(ts, posting());
  expect(slack.answers()).toMatchObject([{ ts, text: "answer" }]);
  expect(slack.calls.filter((call) => call === "stopStream")).toHaveLength(2);
});

test("a failed search is retried, and nothing is posted before a search succeeds", async () => {
  const { slack, messages } = setUp();
  const { ts } = await slack.post(thread, posting().message);
  for (let failures = 0; failures < 3; failures += 1) slack.failNext("replies", "unavailable");
  expect((await messages.post(posting({ doubtful: true }))).ts).toBe(ts);
  for (let failures = 0; failures < 50; failures += 1) slack.failNext("replies", "unavailable");
  await expect(messages.post(posting({ doubtful: true }))).rejects.toMatchObject({ failure: "unavailable" });
  expect(slack.answers()).toHaveLength(1);
});

test("only messages after the question are searched, however long the thread is", async () => {
  const { slack } = setUp();
  for (let count = 0; count < 1_000; count += 1) slack.say({ ts: newTs(), thread_ts: "1.0", text: "chatter" });
  const options = { slack, clock: systemClock, thread: { ...thread, after: newTs() } };
  const messages = createMarkedMessages({ ...options, leave: new AbortController().signal });
  await messages.post(posting({ doubtful: true }));
  expect(slack.calls).toEqual(["replies", "post"]);
});

test("once the lease is lost nothing is posted, even after a search that found nothing", async () => {
  const lease = new AbortController();
  const { slack, messages } = setUp(lease.signal);
  const lost = new LeaseLostError();
  const { replies } = slack;
  Object.assign(slack, {
    replies: async (query: RepliesQuery) => {
      const page = await replies(query);
      lease.abort(lost);
      return page;
    },
  });
  await expect(messages.post(posting({ doubtful: true }))).rejects.toBe(lost);
  await expect(messages.post(posting())).rejects.toBe(lost);
  await expect(messages.replace("1.0", posting())).rejects.toBe(lost);
  await expect(messages.edit("1.0", posting().message)).rejects.toBe(lost);
  expect(slack.calls).toEqual(["replies"]);
});
