import { isObject } from "./block-checks.ts";
import { blockProblems, MOST_BLOCKS, TABLE_SIZE } from "./block-rules.ts";
import { type MarkdownBlock, markdownBlocks } from "./markdown-blocks.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

type Block = Record<string, unknown>;

/** Maximum characters of `markdown_text`, and of all `markdown` blocks of a message. */
const LONGEST_MARKDOWN = 12_000;

/**
 * Maximum characters of all texts in a message's blocks, where every block also costs some characters, and a heading more than others. Slack
 * does not document it; measured in https://github.com/metabase/metabase/issues/79908 and https://github.com/slackapi/bolt-js/issues/2509.
 */
const MOST_TEXT = 13_202;
const COST_OF_A_BLOCK = 45;
const COST_OF_A_HEADER = 100;
/** Maximum characters in the cells of all tables of a message. See https://docs.slack.dev/reference/block-kit/blocks/table-block */
const MOST_TABLE_TEXT = 10_000;

/**
 * Validates the blocks of a message, each `markdown` block as the blocks that Slack makes of it. Throws `msg_too_long`, `invalid_blocks` with
 * every problem, `tooMany`, if given, in place of `invalid_blocks` for more than 50 blocks, `invalid_attachments` for a second table, or
 * `msg_blocks_too_long`.
 */
export function checkMessageBlocks(blocks: readonly Block[], tooMany?: string): void {
  const markdown = blocks.map((block) => (isMarkdown(block) ? block.text : ""));
  if (markdown.some((text) => text.length > LONGEST_MARKDOWN)) throw new SlackError("msg_too_long");
  const expanded = markdown.map(markdownBlocks);
  const count = blocks.reduce((sum, block, at) => sum + (isMarkdown(block) ? (expanded[at]?.length ?? 0) : 1), 0);
  if (tooMany !== undefined && count > MOST_BLOCKS) throw new SlackError(tooMany);
  const problems = blockProblems(blocks, "message");
  if (count > MOST_BLOCKS && blocks.length <= MOST_BLOCKS)
    problems.unshift(`no more than ${MOST_BLOCKS} items allowed [json-pointer:/blocks]`);
  problems.push(...expanded.flatMap((parts, at) => parts.flatMap((part) => sizeProblems(part, `/blocks/${at}`))));
  const cells = [
    ...blocks.filter(({ type }) => type === "table" || type === "data_table").map(({ rows }) => textLength(rows)),
    ...expanded.flat().map(({ rows }) => rows.flat().join("").length),
  ];
  if (cells.reduce((sum, length) => sum + length, 0) > MOST_TABLE_TEXT)
    problems.push(`no more than ${MOST_TABLE_TEXT} characters allowed in tables [json-pointer:/blocks]`);
  if (problems.length > 0) throw errorWithMessages("invalid_blocks", problems);
  checkTableCount(blocks);
  const isTooLong = textLength(blocks) + costs(blocks, expanded.flat()) > MOST_TEXT;
  if (isTooLong || markdown.join("").length > LONGEST_MARKDOWN) throw new SlackError("msg_blocks_too_long");
}

/** Throws `invalid_attachments` for invalid blocks of attachments, or a second table in the whole message. */
export function checkAttachedBlocks(attachments: readonly Block[], blocks: readonly Block[] = []): void {
  const attached = attachments.map((attachment) => attachment["blocks"] ?? []);
  const problems = attached.flatMap((own, index) => {
    const at = `/attachments/${index}/blocks`;
    return isBlocks(own) ? blockProblems(own, "message", at) : [`must be a list of blocks [json-pointer:${at}]`];
  });
  if (problems.length > 0) throw errorWithMessages("invalid_attachments", problems);
  checkTableCount([...blocks, ...attached.filter(isBlocks).flat()]);
}

function checkTableCount(blocks: readonly Block[]): void {
  if (blocks.filter(({ type }) => type === "table").length > 1)
    throw errorWithMessages("invalid_attachments", ["only_one_table_allowed"]);
}

const isBlocks = (value: unknown): value is Block[] => Array.isArray(value) && value.every(isObject);
const isMarkdown = (block: Block): block is { type: "markdown"; text: string } =>
  block["type"] === "markdown" && typeof block["text"] === "string";

function sizeProblems({ rows }: MarkdownBlock, at: string): string[] {
  const { rows: mostRows, columns } = TABLE_SIZE;
  return [
    ...(rows.length > mostRows ? [`no more than ${mostRows} items allowed [json-pointer:${at}/rows]`] : []),
    ...(rows.some((row) => row.length > columns)
      ? [`no more than ${columns} items allowed [json-pointer:${at}/rows/0]`]
      : []),
  ];
}

/** Returns the characters that the blocks cost in addition to their texts. */
function costs(blocks: readonly Block[], expanded: readonly MarkdownBlock[]): number {
  const headings = expanded.filter(({ kind }) => kind === "header").length;
  const given = blocks.map(({ type }) => (type === "header" ? COST_OF_A_HEADER : COST_OF_A_BLOCK));
  return given.reduce((sum, cost) => sum + cost, headings * COST_OF_A_HEADER);
}

/** Returns the characters of every `text` string, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (name === "text" && typeof member === "string" ? member.length : textLength(member)),
    0,
  );
}
