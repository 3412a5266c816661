import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "@crosszone/execution";
import { expect, test } from "vitest";
import { rejectStreams, shownText } from "../harness/slack-actions.ts";
import { startCrosszone, stateOf } from "../harness/start-crosszone.ts";

const saying = (response_text: string): Agent => ({
  name: "speaker",
  description: "",
  skills: [],
  run: async () => ({ response_text }),
});

test("S11: six thousand characters are one message, thirty thousand are three, with nothing lost", async () => {
  const paragraph = (n: number): string => `Paragraph ${n}. ${"lorem ipsum dolor sit amet. ".repeat(20)}`;
  const long = Array.from({ length: 53 }, (_, n) => paragraph(n)).join("\n\n");
  for (const [text, messages] of [
    [long.slice(0, 6_000), 1],
    [long.slice(0, 30_000), 3],
  ] as const) {
    const zones = await startCrosszone({ agents: [saying(text)] });
    const root = zones.write({ text: "tell me" });
    await zones.slack.control.waitForMessage(
      () => zones.replies(root).filter((message) => stateOf(message) === "done").length === messages,
    );
    const parts = zones.replies(root).map(({ markdown_text, text: said }) => markdown_text ?? said);
    expect(parts.every((part) => part.length <= 12_000)).toBe(true);
    expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  }
});

const greeting = "Hello <!channel> <!here> <@U0BOB000001> <!subteam^S123> @everyone, see https://example.com ";

test("S18: an answer notifies no one, and its links do not unfurl", async () => {
  const zones = await startCrosszone({ agents: [saying(greeting)] });
  rejectStreams(zones);
  const answer = await zones.answerTo(zones.write({ text: "greet" }));
  expect(shownText(answer)).not.toMatch(/<!channel|<!here|<!subteam|<@U0BOB/);
  expect(answer).toMatchObject({ unfurl_links: false, unfurl_media: false });
});

test("S18: a streamed answer has no link before its last change, which unfurls nothing", async () => {
  const run: Agent["run"] = async (_input, { preview }) => {
    preview?.text(greeting);
    await delay(1_500);
    return { response_text: greeting };
  };
  const zones = await startCrosszone({ agents: [{ ...saying(""), run }] });
  const answer = await zones.answerTo(zones.write({ text: "greet" }));
  expect(shownText(answer)).toContain("https://example.com");
  const streamed = zones.slack.control.traffic().filter(({ name }) => /^chat\..*Stream$/.test(name));
  expect(streamed.map(({ name }) => name)).toContain("chat.appendStream");
  const said = JSON.stringify(streamed);
  expect(said).toContain("https:\u200B//example.com");
  expect(said).not.toMatch(/https:\/\/example|<!channel|<!here|<!subteam|<@U0BOB/);
});

test.each([
  ["429 with Retry-After", { kind: "rate_limited", retry_after: 1 } as const],
  ["500", { kind: "server_error" } as const],
  ["500 after the message was posted", { kind: "server_error", takes_effect: true } as const],
  ["a connection cut after the message was posted", { kind: "drop", takes_effect: true } as const],
])("Slack answers the post with %s: still one reply", async (_name, fault) => {
  const zones = await startCrosszone();
  zones.slack.control.setFault({ method: "chat.postMessage", times: 1, ...fault });
  const root = zones.write({ text: "2+2" });
  expect((await zones.answerTo(root, 15_000)).markdown_text).toContain("4");
  await zones.slack.control.idle();
  expect(zones.replies(root)).toHaveLength(1);
});

test.each([
  ["429", { kind: "rate_limited", retry_after: 1 } as const],
  ["500", { kind: "server_error" } as const],
])("Slack answers the update with %s: the answer still replaces the placeholder", async (_name, fault) => {
  const zones = await startCrosszone();
  zones.slack.control.setFault({ method: "chat.update", times: 1, ...fault });
  const root = zones.write({ text: "2+2" });
  expect((await zones.answerTo(root, 15_000)).markdown_text).toContain("4");
  expect(zones.replies(root)).toHaveLength(1);
});
