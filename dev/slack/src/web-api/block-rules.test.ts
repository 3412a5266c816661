import { expect, test } from "vitest";
import { checkBlocks } from "./block-rules.ts";
import { SlackError } from "./slack-error.ts";

type Blocks = Record<string, unknown>[];

const times = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);

function refusalOf(blocks: Blocks): { code: string; errors: unknown } | undefined {
  try {
    checkBlocks(blocks);
    return undefined;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return { code: error.code, errors: error.members["errors"] };
  }
}

const text = (length: number, type = "mrkdwn"): object => ({ type, text: "x".repeat(length) });

test.each<[string, Blocks]>([
  ["a section at its limit", [{ type: "section", text: text(3000) }]],
  ["fifty blocks", times(50, { type: "divider" })],
  ["a markdown block at its limit", [{ type: "markdown", text: "x".repeat(12_000) }]],
  ["newer blocks without a look inside", [{ type: "task_card", task_id: "1", title: "t", status: "complete" }]],
  ["9,597 characters in 50 blocks", times(50, { type: "section", text: text(191) })],
])("taken: %s", (_name, blocks) => {
  expect(refusalOf(blocks)).toBeUndefined();
});

test.each<[string, Blocks, string]>([
  ["an unknown type", [{ type: "banner" }], 'unsupported type: "banner" [json-pointer:/blocks/0]'],
  [
    "a section over 3,000",
    [{ type: "section", text: text(3001) }],
    "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
  ],
  ["an empty section", [{ type: "section" }], "missing required field: text or fields [json-pointer:/blocks/0]"],
  [
    "a mrkdwn header",
    [{ type: "header", text: text(5) }],
    'unsupported type: "mrkdwn" [json-pointer:/blocks/0/text/type]',
  ],
  [
    "eleven context elements",
    [{ type: "context", elements: times(11, text(1)) }],
    "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
  ],
  ["fifty-one blocks", times(51, { type: "divider" }), "no more than 50 items allowed [json-pointer:/blocks]"],
  [
    "one block_id twice",
    [
      { type: "divider", block_id: "a" },
      { type: "divider", block_id: "a" },
    ],
    "`block_id` already exists [json-pointer:/blocks/1/block_id]",
  ],
])("refused: %s", (_name, blocks, problem) => {
  expect(refusalOf(blocks)).toEqual({ code: "invalid_blocks", errors: [problem] });
});

test("blocks that together hold too much text are too long", () => {
  const markdown = { type: "markdown", text: "x".repeat(7000) };
  expect(refusalOf([markdown, markdown])).toMatchObject({ code: "msg_blocks_too_long" });
  expect(refusalOf(times(45, { type: "section", text: text(252) }))).toMatchObject({
    code: "msg_blocks_too_long",
  });
});
