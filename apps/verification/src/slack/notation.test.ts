import { expect, test } from "vitest";
import { createSlackDirectory } from "../policy/slack-directory.ts";
import { createFakeSlack, identity, member, openChannel } from "../testing/fake-slack.ts";
import { namesIn, notificationOf, withNames } from "./notation.ts";
import { blocksBelow, contentOf } from "./web-methods.ts";

function start() {
  const slack = createFakeSlack();
  slack.directory.users["U2"] = { ...member, name: "Bob <b|Carter>" };
  slack.directory.channels["C1"] = { ...openChannel, name: "general" };
  slack.directory.channels["C2"] = undefined;
  slack.handles.set("S1", "oncall");
  let now = 0;
  const directory = createSlackDirectory({ slack, identity, now: () => now, timeoutMs: 50 });
  const named = async (text: string) => withNames(text, await namesIn([text], directory));
  return { slack, directory, named, later: () => (now += 300_000) };
}

test("W9: people, groups and channels get names; what Slack does not know keeps its id", async () => {
  const { named } = start();
  expect(await named("<@U2|b> and <@U3|c>: <!subteam^S1> <!subteam^S2> in <#C1>, <#C2>, <#C3|x>")).toBe(
    "<@U2|Bob b Carter> and <@U3|c>: <!subteam^S1|@oncall> <!subteam^S2> in #general, <#C2>, <#C3|x>",
  );
});

test("W5, W9: code stays as it was typed, and nobody in it is looked up", async () => {
  const { named, slack } = start();
  const text = "`<@U2>` and\n```\n<@U2> <#C1>\n```";
  expect(await named(text)).toBe(text);
  expect(slack.calls).toEqual([]);
});

test("W9: all groups take one call in five minutes, and at most 50 names are looked up at once", async () => {
  const { named, slack, later } = start();
  await named("<!subteam^S1> <!subteam^S2>");
  await named("<!subteam^S3>");
  expect(slack.calls).toEqual(["groupHandles"]);
  later();
  await named("<!subteam^S1>");
  expect(slack.calls).toHaveLength(2);
  await named(Array.from({ length: 80 }, (_, index) => `<@U${index}>`).join(" "));
  expect(slack.calls).toHaveLength(52);
});

test("W9: a lookup that fails or hangs costs only its own name", async () => {
  const { named, slack, directory } = start();
  slack.failNext("groupHandles", "refused", { code: "missing_scope" });
  expect(await named("<@U2> <!subteam^S1>")).toBe("<@U2|Bob b Carter> <!subteam^S1>");
  const hanging = createSlackDirectory({
    slack: { ...slack, user: () => new Promise<never>(() => undefined) },
    identity,
    now: Date.now,
    timeoutMs: 20,
  });
  expect(await namesIn(["<@U2> <#C1>"], hanging)).toEqual(new Map([["C1", "#general"]]));
  expect(await namesIn(["<@U2>"], directory)).toEqual(new Map([["U2", "Bob b Carter"]]));
});

const mark = { request_id: "r", correlation_id: "c", state: "done" } as const;
const controls = [{ type: "divider" as const }];

test("what people can press is below a message's text and line; an edit has blocks, so that it is not marked as edited", () => {
  const long = "x".repeat(9_000);
  const body = { type: "markdown", text: long };
  const line = { type: "context", elements: [{ type: "mrkdwn", text: "Used it" }] };
  const text = `${"x".repeat(300)}…`;
  expect(contentOf({ markdown_text: long, mark })).toMatchObject({ markdown_text: long });
  expect(contentOf({ markdown_text: long, controls, mark })).toMatchObject({ text, blocks: [body, ...controls] });
  const edit = contentOf({ markdown_text: long, footer: "Used it", controls, mark }, { isEdit: true });
  expect(edit).toMatchObject({ text, blocks: [body, line, ...controls] });
  expect(contentOf({ markdown_text: long, mark }, { isEdit: true })).toMatchObject({ text, blocks: [body] });
  expect(contentOf({ markdown_text: "", footer: "*Stopped*", mark }, { isEdit: true })).toMatchObject({
    text: "Stopped",
  });
  expect(blocksBelow({ footer: "Used it", controls })).toEqual([line, ...controls]);
});

test.each([
  ["# Sales\n\nSee **the** [report](https://a.example/x_y) of `units_sold`.", "Sales See the report of units_sold."],
  ["| Day | Sum |\n|:--|--:|\n| Mon | 3 |\n\n---\n\n- one\n> two", "Day Sum Mon 3 one two"],
  ["```ts\nconst a = 1;\n```", "const a = 1;"],
  ["<@U0BOB000001> <!channel> <!date^1^{date}|Nov 14> @here a < b & c", "Nov 14 @\u200Bhere a &lt; b &amp; c"],
])("W13: a notification is short, plain, and notifies nobody: %j", (markdown, expected) => {
  expect(notificationOf(markdown)).toBe(expected);
});

test("W13: a notification is cut between characters", () => {
  const text = notificationOf("👩🏽‍🚀".repeat(2_000));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
  expect(text.isWellFormed()).toBe(true);
});
