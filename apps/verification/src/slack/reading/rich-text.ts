import {
  dateText,
  linkText,
  mentionText,
  noteUnknown,
  objectsIn,
  type RawObject,
  type Reading,
  textIn,
  withoutMentions,
} from "./mrkdwn.ts";

/** Reads what a person typed, a `rich_text` block, as Markdown. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function readRichText(block: RawObject, reading: Reading): string {
  let text = "";
  let isList = false;
  let depth = -1;
  for (const element of objectsIn(block, "elements")) {
    const wasList = isList;
    isList = element["type"] === "rich_text_list";
    // A deeper list without one above it would be code.
    depth = isList ? Math.min(Number(element["indent"] ?? 0), wasList ? depth + 1 : 0) : -1;
    const read = readPart(element, reading, depth).replace(/^\n+|\n+$/g, "");
    // A blank line ends a quotation and a list.
    if (read !== "") text += text === "" ? read : `${wasList && isList ? "\n" : "\n\n"}${read}`;
  }
  return text;
}

function readPart(element: RawObject, reading: Reading, depth: number): string {
  const type = textIn(element, "type") ?? "";
  // Slack says with a border that a list or code is quoted.
  if (type === "rich_text_quote" || (element["border"] === 1 && isBordered(type))) {
    reading.hasQuotes = true;
    const quoted = withoutMentions(reading, () =>
      type === "rich_text_quote" ? readInline(element, reading) : readUnquoted(element, reading, depth),
    );
    const lines = quoted.replace(/^\n+|\n+$/g, "").split("\n");
    return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
  }
  return readUnquoted(element, reading, depth);
}

const isBordered = (type: string): boolean => type === "rich_text_list" || type === "rich_text_preformatted";

function readUnquoted(element: RawObject, reading: Reading, depth: number): string {
  const type = textIn(element, "type") ?? "";
  if (type === "rich_text_list") return readList(element, reading, depth);
  if (type === "rich_text_preformatted") {
    const code = withoutMentions(reading, () => readElements(element, reading, String));
    const fence = fenceAround(code, 3);
    return `${fence}${/^[\w+#-]*$/.exec(textIn(element, "language") ?? "")?.[0] ?? ""}\n${code}\n${fence}`;
  }
  if (type !== "rich_text_section") noteUnknown(reading, type);
  return readInline(element, reading) || (type === "rich_text_section" ? "" : (textIn(element, "text") ?? ""));
}

function readList(list: RawObject, reading: Reading, depth: number): string {
  const first = Number(list["offset"] ?? 0) + 1;
  const items = objectsIn(list, "elements").map((item, index) => {
    const marker = list["style"] === "ordered" ? `${first + index}. ` : "- ";
    const lines = readUnquoted(item, reading, 0).split("\n");
    const indent = " ".repeat(4 * depth);
    return `${indent}${marker}${lines.join(`\n${indent}${" ".repeat(marker.length)}`)}`;
  });
  return items.join("\n");
}

const readInline = (element: RawObject, reading: Reading): string => readElements(element, reading, withStyle);

/** Reads the elements within a section; those with the same style have it once. */
function readElements(
  section: RawObject,
  reading: Reading,
  styled: (text: string, style: RawObject) => string,
): string {
  const runs: { text: string; style: RawObject; key: string }[] = [];
  for (const element of objectsIn(section, "elements")) {
    const isText = ["text", "link", "emoji"].includes(textIn(element, "type") ?? "");
    const given = (element["style"] ?? {}) as RawObject;
    const isCode = given["code"] === true;
    const read = (): string => readElement(element, reading);
    const text = isCode ? withoutMentions(reading, read) : read();
    const style = isText || isCode ? given : {};
    const key = ["bold", "italic", "strike", "code"].map((name) => style[name] === true).join();
    const last = runs.at(-1);
    if (last?.key === key) last.text += text;
    else runs.push({ text, style, key });
  }
  return runs.map(({ text, style }) => styled(text, style)).join("");
}

/** Returns Markdown with a style. Marks must touch the words, and end with the line. */
function withStyle(text: string, style: RawObject): string {
  const mark = `${style["strike"] === true ? "~~" : ""}${style["bold"] === true ? "**" : ""}${style["italic"] === true ? "*" : ""}`;
  const isCode = style["code"] === true;
  if (mark === "" && !isCode) return text;
  return text.replaceAll(/\S.*/g, (line) => {
    const words = line.trimEnd();
    const shown = isCode ? inlineCode(words) : words;
    return `${mark}${shown}${Array.from(mark).toReversed().join("")}${line.slice(words.length)}`;
  });
}

function inlineCode(text: string): string {
  const fence = fenceAround(text, 1);
  return text.startsWith("`") || text.endsWith("`") ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** Returns backticks that the text does not contain, at least `least`. */
function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}

function readElement(element: RawObject, reading: Reading): string {
  const member = (name: string): string => textIn(element, name) ?? "";
  switch (element["type"]) {
    case "text":
      return member("text");
    case "link":
      return linkText(member("url"), member("text"));
    case "emoji":
      return emojiText(element);
    case "user":
      return mentionText(member("user_id"), reading);
    case "usergroup":
      return `<!subteam^${member("usergroup_id")}>`;
    case "channel":
      return `<#${member("channel_id")}>`;
    case "team":
      return member("team_id");
    case "broadcast":
      return `@${member("range")}`;
    case "date": {
      const shown = member("fallback") || dateText(Number(element["timestamp"]));
      return linkText(member("url") || shown, shown);
    }
    case "color":
      return member("value");
    default: {
      const type = member("type") || "unknown";
      noteUnknown(reading, type);
      return linkText(member("url") || `[${type}]`, member("text") || member("name") || member("title") || undefined);
    }
  }
}

/** Returns an emoji as the person typed it; a workspace's own one by name. */
function emojiText(element: RawObject): string {
  const name = textIn(element, "name") ?? "";
  const code = textIn(element, "unicode") ?? "";
  if (!/^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*$/i.test(code)) return `:${name}:`;
  const tone = Number(element["skin_tone"]);
  const points = code.split("-").map((hex) => Number.parseInt(hex, 16));
  const isToned = tone >= 2 && tone <= 6 && points.length === 1;
  return String.fromCodePoint(...points, ...(isToned ? [0x1f3f9 + tone] : []));
}
