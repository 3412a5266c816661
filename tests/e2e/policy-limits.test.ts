import { describe, expect, test, vi } from "vitest";
import { tune } from "@crosszone/testkit/tune";
import { denials, notices, tasksStarted, waitForNotices } from "../harness/slack-actions.ts";
import { type Crosszone, startCrosszone, stateOf } from "../harness/start-crosszone.ts";

const wait = /Please ask again in (\d+ seconds?|\d+ minutes|a minute)/;

describe("people who ask too much read how long to wait", () => {
  test.each([
    { of: "one person", env: tune({}), reason: "user_rate", next: "alice" },
    { of: "one channel", env: tune({ CHANNEL_RATE_FACTOR: 1 }), reason: "channel_rate", next: "bob" },
    { of: "one team", env: tune({ TEAM_RATE_FACTOR: 1 }), reason: "team_rate", next: "bob" },
  ])("messages of $of", async ({ env, reason, next }) => {
    const zones = await startCrosszone({ env: { MESSAGES_PER_MINUTE: "1", ...env } });
    await zones.answerTo(zones.write({ channel: "general", text: "@Crosszone 2+2" }));
    zones.write({ channel: "general", user: next, text: "@Crosszone 3+3" });
    const [told] = await waitForNotices(zones);
    expect(told?.text).toMatch(wait);
    expect(told).toMatchObject({ channel: "C0GENERAL01", user: "U0CROSSZONE" });
    expect((await denials(zones))[0]).toMatchObject({ reason, retry_after_ms: expect.any(Number) });
    expect(tasksStarted(zones)).toBe(1);
  });

  test("a person over their limit does not delay another person in another channel", async () => {
    const zones = await startCrosszone({ env: { MESSAGES_PER_MINUTE: "1" } });
    await zones.answerTo(zones.write({ user: "alice", text: "2+2" }));
    zones.write({ user: "alice", text: "2+2" });
    expect((await zones.answerTo(zones.write({ user: "bob", text: "2+2" }))).markdown_text).toContain("4");
  });
});

test("a thread queues a limited number of questions; the next one is refused, and stop ends the others", async () => {
  const zones = await startCrosszone({ env: tune({ MAX_WAITING_PER_THREAD: 1 }) });
  const root = zones.write({ text: "slow 20" });
  await vi.waitUntil(() => tasksStarted(zones) === 1);
  for (const text of ["2+2", "3+3"]) {
    zones.write({ text, thread_ts: root.ts });
    await zones.slack.control.idle();
  }
  const turnedAway = () =>
    notices(zones).filter(({ text }) => text.startsWith("In this thread, 1 message already waits for an answer"));
  await vi.waitUntil(() => turnedAway().length > 0);
  expect(turnedAway()).toMatchObject([{ thread_ts: root.ts }]);
  zones.write({ text: "stop", thread_ts: root.ts });
  await vi.waitUntil(() => zones.replies(root).filter((one) => stateOf(one) === "stopped").length === 2);
  expect(tasksStarted(zones)).toBe(1);
  expect((await denials(zones))[0]).toMatchObject({ reason: "thread_busy" });
});

/** Answers every answer of the bot in its thread, as an automation does. Returns a function that counts them. */
function automation(zones: Crosszone, user: string): () => number {
  let count = 0;
  zones.slack.control.subscribe((event) => {
    if (event.type !== "message_changed" || stateOf(event.message) !== "done") return;
    count += 1;
    const { channel, thread_ts = "" } = event.message;
    setImmediate(() => zones.write({ channel, thread_ts, user, text: "@Crosszone and 3+3?" }));
  });
  return () => count;
}

describe("a conversation between automations ends", () => {
  test("a bot that answers every answer is ignored", async () => {
    const zones = await startCrosszone();
    const answered = automation(zones, "deploybot");
    await zones.answerTo(zones.write({ channel: "general", text: "@Crosszone 2+2" }));
    await vi.waitUntil(
      () => zones.log.filter(({ event, verdict }) => event === "event_ignored" && verdict === "app").length === 2,
    );
    await zones.slack.control.idle();
    expect(answered()).toBe(1);
    expect(tasksStarted(zones)).toBe(1);
  });

  test("an automation that writes as a person is answered a limited number of times, and told to wait once", async () => {
    const zones = await startCrosszone({ env: tune({ THREAD_MESSAGES_PER_HOUR: 3 }) });
    const answered = automation(zones, "bob");
    zones.write({ channel: "general", text: "@Crosszone 2+2" });
    const [told] = await waitForNotices(zones);
    expect(told?.text).toMatch(
      /^This thread has sent me many messages in a short time\. Please ask again in \d+ minutes/,
    );
    await zones.slack.control.idle();
    expect(tasksStarted(zones)).toBe(3);
    expect(answered()).toBe(3);
    expect(notices(zones)).toHaveLength(1);
    expect((await denials(zones))[0]).toMatchObject({ reason: "thread_rate" });
  });
});
