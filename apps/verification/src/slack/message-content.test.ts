import { expect, test } from "vitest";
import { blocksBelow, contentOf } from "./messages.ts";

const mark = { request_id: "r", correlation_id: "c", state: "done" } as const;
const controls = [{ type: "divider" as const }];

test("what people can press is below a message's text and line; an edit has the text that Slack accepts", () => {
  const long = "x".repeat(9_000);
  const body = { type: "markdown", text: long };
  const line = { type: "context", elements: [{ type: "mrkdwn", text: "Used it" }] };
  expect(contentOf({ markdown_text: long, controls, mark })).toMatchObject({ text: long, blocks: [body, ...controls] });
  const edit = contentOf({ markdown_text: long, footer: "Used it", controls, mark }, { isEdit: true });
  expect(edit).toMatchObject({ text: "x".repeat(4_000), blocks: [body, line, ...controls] });
  expect(contentOf({ markdown_text: long, controls, mark }, { isEdit: true })).not.toHaveProperty("blocks");
  expect(blocksBelow({ footer: "Used it", controls })).toEqual([line, ...controls]);
});
