import { describe, expect, test } from "vitest";
import { startCrosszone, stateOf } from "../harness/start-crosszone.ts";

describe("which messages are answered, each once and in its thread", () => {
  test("Z6: a direct message gets a placeholder at once, then the answer replaces it", async () => {
    const zones = await startCrosszone();
    const root = zones.write({ text: "2+2 in words?" });
    const placeholder = await zones.slack.control.waitForMessage(
      (message) => message.thread_ts === root.ts && stateOf(message) === "working",
    );
    const answer = await zones.answerTo(root);
    expect(answer.ts).toBe(placeholder.ts);
    expect(answer.markdown_text).toContain("four");
    expect(stateOf(answer)).toBe("done");
    await zones.slack.control.idle();
    expect(zones.replies(root)).toHaveLength(1);
  });

  test("S4: a mention in a channel arrives as two events and is answered once", async () => {
    const zones = await startCrosszone();
    const root = zones.write({ channel: "general", text: "@Crosszone 6 * 7" });
    expect((await zones.answerTo(root)).markdown_text).toContain("42");
    await zones.slack.control.idle();
    const events = zones.slack.control.traffic().filter(({ kind }) => kind === "event");
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(["app_mention", "message"]));
    expect(zones.replies(root)).toHaveLength(1);
    expect(zones.log.filter(({ event }) => event === "task_started" && event)).toHaveLength(2);
  });

  test("in a thread that the app has answered, no mention is needed; other messages are ignored", async () => {
    const zones = await startCrosszone();
    const chatter = zones.write({ channel: "general", text: "lunch, anyone?" });
    const root = zones.write({ channel: "general", text: "@Crosszone 10 / 4" });
    await zones.answerTo(root);
    const followUp = zones.write({ channel: "general", text: "and 10 / 5", thread_ts: root.ts });
    expect((await zones.answerTo(followUp)).markdown_text).toContain("2");
    const aside = zones.write({ channel: "general", text: "<@U0BOB000001> do you see this?", thread_ts: root.ts });
    await zones.slack.control.idle();
    expect(zones.replies(chatter)).toEqual([]);
    expect(zones.replies(aside)).toEqual([]);
  });

  test("S8: a message that is only a file gets an honest answer", async () => {
    const zones = await startCrosszone();
    const root = zones.write({
      text: "",
      files: [{ name: "plan.pdf", mimetype: "application/pdf", content: "%PDF-1.7" }],
    });
    expect((await zones.answerTo(root)).markdown_text).toContain("plan.pdf");
  });

  test("other bots, the app itself, edits and deletions are not answered, so two bots cannot talk for ever", async () => {
    const zones = await startCrosszone();
    const bot = zones.write({ channel: "general", user: "U0DEPLOYBOT", text: "@Crosszone deploy done, 1+1?" });
    const root = zones.write({ text: "1+1" });
    await zones.answerTo(root);
    const { channel, ts, user } = root;
    zones.slack.control.editMessage({ channel, ts, user, text: "1+2" });
    await zones.slack.control.idle();
    expect(zones.replies(bot)).toEqual([]);
    expect(zones.replies(root)).toHaveLength(1);
    expect(zones.log.filter(({ zone, event }) => zone === "execution" && event === "task_started")).toHaveLength(1);
  });
});

test("an agent is asked by name; an unknown agent gets a clear sentence with a reference", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "ask builtin: 3 * 3" });
  expect((await zones.answerTo(root)).markdown_text).toContain("9");
  const wrong = zones.write({ text: "ask nobody: 3 * 3" });
  const answer = await zones.answerTo(wrong);
  expect(stateOf(answer)).toBe("failed");
  expect(answer.markdown_text).toMatch(/nobody.*[\s\S]*Reference: [\w-]{8,}/);
});
