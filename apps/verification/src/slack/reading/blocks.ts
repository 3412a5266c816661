import { isObject, type JsonObject } from "@crosszone/service-kit/json";
import { unescape } from "../notation.ts";
import {
  dateText,
  joined,
  linkText,
  mentionText,
  note,
  noteUnknown,
  objectsOf,
  type MessageReading,
  readMrkdwn,
  plainTextOf,
  withoutMentions,
} from "./mrkdwn.ts";

/** Reads the words of blocks as Markdown. https://docs.slack.dev/reference/block-kit/blocks */
export const readBlocks = (blocks: unknown, reading: MessageReading): string => readList(blocks, reading, "\n\n");

/** The members of blocks and of their parts that contain words, in the order in which Slack shows them. */
const wordMembers = (
  "icon hero_image author_name title rich_text_title label text subtitle body description hint fields elements " +
  "child_blocks rows tasks details output sources caption alt_text accessory actions"
).split(" ");

/** Types whose words are found by their members alone. */
const plainTypes: ReadonlySet<string> = new Set(
  "section actions input divider video alert card carousel container plan task_card file".split(" "),
);

/** Controls: what a person could choose or enter is nobody's words. */
const controls =
  /_select$|picker$|_input$|^(?:checkboxes|overflow|radio_buttons|feedback_buttons|context_actions|share_shortcut)$/;

type ReadNode = (node: JsonObject, reading: MessageReading) => string;

const plainText: ReadNode = ({ text }) => unescape(plainTextOf(text));
const buttonText: ReadNode = ({ url, text }, reading) => `[${linkText(plainTextOf(url), readNode(text, reading))}]`;

const readers: ReadonlyMap<string, ReadNode> = new Map<string, ReadNode>([
  ["rich_text", readRichText],
  ["table", readTable],
  ["data_table", readTable],
  ["markdown", ({ text }) => plainTextOf(text)],
  ["mrkdwn", ({ text }, reading) => readMrkdwn(plainTextOf(text), reading)],
  ...["plain_text", "raw_text"].map((type) => [type, plainText] as const),
  ["raw_number", ({ value, text = value }, reading) => plainText({ text }, reading)],
  ...["button", "icon_button", "workflow_button"].map((type) => [type, buttonText] as const),
  ["header", ({ text }, reading) => `## ${readNode(text, reading).replaceAll("\n", " ")}`],
  [
    "image",
    ({ title, alt_text }, reading) => `[image: ${joined([readNode(title, reading), plainTextOf(alt_text)], ", ")}]`,
  ],
  ["url", ({ url, text }) => linkText(plainTextOf(url), plainTextOf(text))],
  ["context", ({ elements }, reading) => readList(elements, reading, " ")],
]);

function readNode(node: unknown, reading: MessageReading): string {
  if (Array.isArray(node)) return readList(node, reading, "\n");
  if (!isObject(node)) return plainTextOf(node);
  const type = plainTextOf(node["type"]);
  const read = readers.get(type);
  if (read !== undefined) return read(node, reading);
  if (controls.test(type)) return "";
  if (type === "file") note(reading, "A file that is stored outside Slack", "Slack does not pass on its contents.");
  if (!plainTypes.has(type)) noteUnknown(reading, type);
  const words = wordMembers.map((name) =>
    linkText(name === "title" ? plainTextOf(node["title_url"]) : "", readNode(node[name], reading)),
  );
  return joined(words, "\n");
}

function readList(nodes: unknown, reading: MessageReading, by: string): string {
  const read = Array.isArray(nodes) ? nodes.map((node) => readNode(node, reading)) : [];
  return joined(read, by);
}

/** Reads a table as a Markdown table, below its caption. Its first row is the header. https://github.github.com/gfm/#tables-extension- */
function readTable({ rows, caption }: JsonObject, reading: MessageReading): string {
  const read = (Array.isArray(rows) ? rows : []).map((row: unknown) =>
    Array.isArray(row) ? row.map((cell) => cellText(readNode(cell, reading))) : [],
  );
  const width = Math.max(0, ...read.map((row) => row.length));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const [header = "", ...body] = read.map((row) => line([...row, ...Array<string>(width - row.length).fill("")]));
  const lines = width === 0 ? [] : [header, line(Array<string>(width).fill("---")), ...body];
  return joined([plainTextOf(caption), lines.join("\n")], "\n\n");
}

/** Returns the text of a cell as one line in which no vertical line ends the cell. */
const cellText = (text: string): string =>
  text
    .trim()
    .replaceAll(/(?<!\\)(\\*)\|/g, String.raw`$1$1\|`)
    .replaceAll(/(?<!\s)\s*\n\s*/g, "<br>");

/** Matches line breaks at both ends of a text, each run of breaks once. */
const outerBreaks = /^\n+|(?<!\n)\n+$/g;

/** Reads what a person typed, a `rich_text` block, as Markdown. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function readRichText({ elements }: JsonObject, reading: MessageReading): string {
  let text = "";
  let depth = -1;
  for (const element of objectsOf(elements)) {
    const wasList = depth >= 0;
    // A deeper list without one above it would be code.
    depth =
      element["type"] === "rich_text_list" ? Math.max(0, Math.min(Number(element["indent"]) || 0, depth + 1)) : -1;
    const read = readPart(element, reading, depth).replaceAll(outerBreaks, "");
    // A blank line ends a quotation and a list.
    if (read !== "") text += `${text && (wasList && depth >= 0 ? "\n" : "\n\n")}${read}`;
  }
  return text;
}

function readPart(element: JsonObject, reading: MessageReading, depth: number): string {
  const { type, border } = element;
  // Slack says with a border that a list or code is quoted.
  const isQuote = type === "rich_text_quote" || (type !== "rich_text_section" && border === 1);
  if (!isQuote) return readUnquoted(element, reading, depth);
  reading.hasQuotes = true;
  const lines = withoutMentions(reading, () => readUnquoted(element, reading, depth)).replaceAll(outerBreaks, "");
  return lines.replaceAll(/^(?!$)/gm, "> ").replaceAll(/^$/gm, ">");
}

function readUnquoted(element: JsonObject, reading: MessageReading, depth: number): string {
  const { type, elements } = element;
  if (type === "rich_text_list") return readItems(element, reading, depth);
  if (type === "rich_text_preformatted") {
    const code = withoutMentions(reading, () => readElements(elements, reading, String));
    const fence = fenceAround(code, 3);
    return `${fence}\n${code}\n${fence}`;
  }
  const isKnown = type === "rich_text_section" || type === "rich_text_quote";
  return readElements(elements, reading, withStyle) + (isKnown ? "" : readInline(element, reading));
}

function readItems({ elements, style, offset }: JsonObject, reading: MessageReading, depth: number): string {
  const indent = " ".repeat(4 * depth);
  const items = objectsOf(elements).map((item, index) => {
    const marker = style === "ordered" ? `${(Number(offset) || 0) + 1 + index}. ` : "- ";
    const below = `\n${indent}${" ".repeat(marker.length)}`;
    return `${indent}${marker}${readUnquoted(item, reading, 0).replaceAll("\n", below)}`;
  });
  return items.join("\n");
}

/** Reads the elements within a section; those with the same style have it once. */
function readElements(
  elements: unknown,
  reading: MessageReading,
  styled: (text: string, style: JsonObject) => string,
): string {
  const runs: { text: string; style: JsonObject; key: string }[] = [];
  for (const element of objectsOf(elements)) {
    const given = (element["style"] ?? {}) as JsonObject;
    const isCode = given["code"] === true;
    const read = (): string => readInline(element, reading);
    const text = isCode ? withoutMentions(reading, read) : read();
    const style = isCode || styledTypes.has(element["type"]) ? given : {};
    const key = ["bold", "italic", "strike", "code"].map((name) => style[name] === true).join();
    const last = runs.at(-1);
    if (last?.key === key) last.text += text;
    else runs.push({ text, style, key });
  }
  return runs.map(({ text, style }) => styled(text, style)).join("");
}

const styledTypes: ReadonlySet<unknown> = new Set(["text", "link", "emoji"]);

/** Returns Markdown with a style. Marks must touch the words, and end with the line. */
function withStyle(text: string, { bold, italic, strike, code }: JsonObject): string {
  const mark = `${strike === true ? "~~" : ""}${bold === true ? "**" : ""}${italic === true ? "*" : ""}`;
  if (mark === "" && code !== true) return text;
  return text.replaceAll(/\S(?:.*\S)?/g, (words) => {
    const fence = code === true ? fenceAround(words, 1) : "";
    const pad = fence !== "" && (words.startsWith("`") || words.endsWith("`")) ? " " : "";
    return `${mark}${fence}${pad}${words}${pad}${fence}${Array.from(mark).toReversed().join("")}`;
  });
}

/** Returns backticks that the text does not contain, at least `least`. */
function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}

const inline: ReadonlyMap<unknown, ReadNode> = new Map<unknown, ReadNode>([
  ["text", ({ text }) => plainTextOf(text)],
  ["link", ({ url, text }) => linkText(plainTextOf(url), plainTextOf(text))],
  [
    "emoji",
    ({ name, skin_tone }) => `:${plainTextOf(name)}:${skin_tone ? `:skin-tone-${plainTextOf(skin_tone)}:` : ""}`,
  ],
  ["user", ({ user_id }, reading) => mentionText(plainTextOf(user_id), reading)],
  ["usergroup", ({ usergroup_id }) => `<!subteam^${plainTextOf(usergroup_id)}>`],
  ["channel", ({ channel_id }) => `<#${plainTextOf(channel_id)}>`],
  ["team", ({ team_id }) => plainTextOf(team_id)],
  ["broadcast", ({ range }) => `@${plainTextOf(range)}`],
  ["date", ({ url, fallback, timestamp }) => linkText(plainTextOf(url), plainTextOf(fallback) || dateText(timestamp))],
  ["color", ({ value }) => plainTextOf(value)],
]);

function readInline(element: JsonObject, reading: MessageReading): string {
  const { type, url, text, name, title } = element;
  const read = inline.get(type);
  if (read !== undefined) return read(element, reading);
  noteUnknown(reading, plainTextOf(type));
  return linkText(
    plainTextOf(url),
    plainTextOf(text) || plainTextOf(name) || plainTextOf(title) || `[${plainTextOf(type)}]`,
  );
}
