import {
  isObject,
  linkText,
  noteUnknown,
  objectsIn,
  type RawObject,
  type Reading,
  readMrkdwn,
  textIn,
  unescape,
} from "./mrkdwn.ts";
import { readRichText } from "./rich-text.ts";

/** Reads the words of blocks as Markdown. https://docs.slack.dev/reference/block-kit/blocks */
export function readBlocks(blocks: readonly RawObject[], reading: Reading): string {
  return joined(
    blocks.map((block) => readNode(block, reading)),
    "\n\n",
  );
}

/** The members of blocks and of their parts that contain words, in the order in which Slack shows them. */
const wordMembers = [
  ...["icon", "hero_image", "pretext", "author_name", "title", "rich_text_title", "label", "text", "subtitle", "value"],
  ...["body", "description", "hint", "fields", "elements", "child_blocks", "rows", "tasks", "details", "output"],
  ...["sources", "caption", "alt_text", "accessory", "actions"],
] as const;

/** Types whose words are found by their members alone. */
const plainTypes: ReadonlySet<string> = new Set([
  ...["section", "context", "actions", "input", "header", "divider", "video"],
  ...["alert", "card", "carousel", "container", "plan", "task_card"],
]);

/** Controls: what a person could choose or enter is nobody's words. */
const controls: ReadonlySet<string> = new Set([
  ...["checkboxes", "datepicker", "datetimepicker", "timepicker", "overflow", "radio_buttons", "select"],
  ...["users_select", "static_select", "conversations_select", "channels_select", "external_select"],
  ...["multi_users_select", "multi_static_select", "multi_conversations_select", "multi_channels_select"],
  ...["multi_external_select", "email_text_input", "file_input", "number_input", "plain_text_input", "rich_text_input"],
  ...["url_text_input", "feedback_buttons", "context_actions", "share_shortcut"],
]);

function readNode(node: unknown, reading: Reading): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node))
    return joined(
      node.map((one) => readNode(one, reading)),
      "\n",
    );
  if (!isObject(node)) return "";
  const type = textIn(node, "type") ?? "";
  switch (type) {
    case "rich_text":
      return readRichText(node, reading);
    case "table":
    case "data_table":
      return readTable(node, reading);
    case "markdown":
      return textIn(node, "text") ?? "";
    case "mrkdwn":
      return readMrkdwn(textIn(node, "text") ?? "", reading, { styled: true });
    case "plain_text":
    case "raw_text":
    case "raw_number":
      return unescape(textIn(node, "text") ?? "");
    case "header":
      return `## ${readNode(node["text"], reading).replaceAll("\n", " ")}`;
    case "image":
      return `[image: ${joined([readNode(node["title"], reading), textIn(node, "alt_text") ?? ""], ", ")}]`;
    case "url":
      return linkText(textIn(node, "url") ?? "", textIn(node, "text"));
    case "button":
    case "icon_button":
    case "workflow_button":
      return `[${linkText(textIn(node, "url") ?? "", readNode(node["text"], reading)).replace(/ \(\)$/, "")}]`;
    case "context":
      return joined(
        objectsIn(node, "elements").map((one) => readNode(one, reading)),
        " ",
      );
    case "file":
      reading.unreadable.push({
        what: "A file that is stored outside Slack",
        why: "Slack does not pass on its contents.",
      });
      return "";
    default:
      if (controls.has(type)) return "";
      if (!plainTypes.has(type)) noteUnknown(reading, type || "unknown");
      return readMembers(node, reading);
  }
}

function readMembers(node: RawObject, reading: Reading): string {
  const read = wordMembers.map((name) => {
    const words = readNode(node[name], reading);
    const address = name === "title" ? textIn(node, "title_url") : undefined;
    return address === undefined ? words : linkText(address, words);
  });
  return joined(read, "\n");
}

/** Joins the texts that are not empty. */
export const joined = (texts: readonly (string | undefined)[], by: string): string =>
  texts.filter((text) => text !== undefined && text !== "").join(by);

/** Reads a table as a Markdown table, below its caption. Its first row is the header. https://github.github.com/gfm/#tables-extension- */
function readTable(table: RawObject, reading: Reading): string {
  const given = Array.isArray(table["rows"]) ? table["rows"].filter((row) => Array.isArray(row)) : [];
  const rows = given.map((row: readonly unknown[]) => row.map((cell) => cellText(readNode(cell, reading))));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return textIn(table, "caption") ?? "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const [header = [], ...body] = rows.map((row) => line([...row, ...Array<string>(width - row.length).fill("")]));
  const rule = line(Array<string>(width).fill("---"));
  return joined([textIn(table, "caption"), [header, rule, ...body].join("\n")], "\n\n");
}

/** A cell is one line, and a vertical line would end it. */
const cellText = (text: string): string =>
  text
    .trim()
    .replaceAll(/(\\*)\|/g, String.raw`$1$1\|`)
    .replaceAll(/\s*\n\s*/g, "<br>");
