import { expect, test } from "vitest";
import { notificationOf } from "./message-content.ts";
import { blocksBelow, contentOf } from "./messages.ts";

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
