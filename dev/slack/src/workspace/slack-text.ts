import type { RichTextBlock, RichTextBlockElement, RichTextElement } from "@slack/types";

/** Angle brackets in a message's text: `<@U…>`, `<#C…|name>`, `<!here>`, `<https://…|label>`. */
const ENTITY =
  /<(@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|!(?:channel|here|everyone|subteam\^[A-Z0-9]+|date\^\d+\^[^<>|]+)|(?:https?:\/\/|mailto:)[^\s<>|]+)(?:\|([^<>]*))?>/;
const BARE_LINK = /https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"]/g;
const CODE = /(```[^]*?```|`[^`\n]+`)/;

/**
 * Converts typed text to Slack's markup, as Slack's composer does: bare `&`, `<` and `>` become entities, a bare link gets angle brackets,
 * and the app's `@Name` at the start becomes its mention. Markdown's lists, links and bold text become Slack's, except in code. Existing
 * markup, such as `&lt;` and `<@U0BOB000001>`, stays unchanged. See https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function textFromPerson(typed: string, app: { name: string; bot_user_id: string }): string {
  const mention = `@${app.name}`;
  const addressed = typed.slice(0, mention.length).toLowerCase() === mention.toLowerCase();
  const text = addressed ? `<@${app.bot_user_id}>${typed.slice(mention.length)}` : typed;
  const pieces = text.split(CODE).map((piece, at) => (at % 2 === 1 ? piece : formatted(piece)));
  return pieces
    .flatMap((piece, at) =>
      splitEntities(piece).map((one) => (one.entity ? one.text : escaped(one.text, at % 2 === 0))),
    )
    .join("");
}

const formatted = (typed: string): string =>
  typed
    .replaceAll(/^( *)[-*] (?=\S)/gm, "$1• ")
    .replaceAll(/\*\*(?=\S)([^*\n]+)(?<=\S)\*\*/g, "*$1*")
    .replaceAll(
      /\[([^[\]<>|\n]+)\]\((https?:\/\/[^\s()<>|]+)\)/g,
      (_link, label: string, url: string) => `<${escapeText(url)}|${escapeText(label)}>`,
    );

function escaped(text: string, hasLinks: boolean): string {
  const safe = escapeText(text);
  return hasLinks ? safe.replaceAll(BARE_LINK, "<$&>") : safe;
}

/** Returns the readable text, with `&`, `<` and `>` unescaped. */
export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Returns the `rich_text` block that Slack adds to every message with text. */
export function richTextBlock(text: string, block_id: string): RichTextBlock {
  const elements = text.split(/\n?```\n?([^]*?)\n?```\n?/).flatMap((piece, at): RichTextBlockElement[] => {
    if (at % 2 === 0) return piece === "" ? [] : lineElements(piece.split("\n"));
    return [{ type: "rich_text_preformatted", border: 0, elements: [{ type: "text", text: unescapeText(piece) }] }];
  });
  return { type: "rich_text", block_id, elements };
}

/** The mark at the start of a quoted line or of a list's item. Four spaces are one level. After `>>>` every line is quoted. */
const LINE_MARK = /^(?:(?:(?:&gt;|>){3}|&gt;|>) ?|( *)(?:[•◦▪]|(\d{1,3})\.) +)/;

/** Joins neighboring lines of one kind. */
function lineElements(lines: readonly string[]): RichTextBlockElement[] {
  const groups: { kind: string; indent: number; offset: number; lines: string[] }[] = [];
  let isQuoted = false;
  for (const line of lines) {
    const [mark, spaces, digits] = (isQuoted ? undefined : LINE_MARK.exec(line)) ?? [""];
    isQuoted ||= /^(?:&gt;|>){3}/.test(mark);
    const list = digits ? "ordered" : "bullet";
    const kind = isQuoted || (mark !== "" && spaces === undefined) ? "quote" : mark === "" ? "section" : list;
    const indent = Math.min(8, Math.floor((spaces ?? "").length / 4));
    const last = groups.at(-1);
    if (last?.kind === kind && last.indent === indent) last.lines.push(line.slice(mark.length));
    else groups.push({ kind, indent, offset: Math.max(0, Number(digits ?? 1) - 1), lines: [line.slice(mark.length)] });
  }
  return groups.map(({ kind, indent, offset, lines: own }): RichTextBlockElement => {
    if (kind === "section" || kind === "quote")
      return { type: `rich_text_${kind}`, elements: inlineElements(own.join("\n"), {}) };
    const elements = own.map((line) => ({ type: "rich_text_section" as const, elements: inlineElements(line, {}) }));
    const style = kind === "ordered" ? kind : "bullet";
    return { type: "rich_text_list", style, indent, border: 0, ...(offset > 0 && { offset }), elements };
  });
}

const styled = (mark: string, name: string): string =>
  `(?<![\\p{L}\\p{N}])[${mark}](?=\\S)(?<${name}>[^${mark}\\n]+)(?<=\\S)[${mark}](?![\\p{L}\\p{N}])`;
const INLINE = new RegExp(
  [
    "`(?<code>[^`\\n]+)`",
    `(?<bare>${BARE_LINK.source})`,
    `(?<entity>${ENTITY.source})`,
    "(?<![\\w:]):(?<emoji>[a-z][a-z_]*):(?![\\w:])",
    styled("*", "bold"),
    styled("_", "italic"),
    styled("~", "strike"),
  ].join("|"),
  "gu",
);

type Style = NonNullable<Extract<RichTextElement, { type: "text" }>["style"]>;

function inlineElements(text: string, style: Style): RichTextElement[] {
  const own = Object.keys(style).length > 0 && { style };
  const elements: RichTextElement[] = [];
  const addText = (piece: string): void => {
    if (piece !== "") elements.push({ type: "text", text: unescapeText(piece), ...own });
  };
  let end = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(INLINE)) {
    addText(text.slice(end, index));
    end = index + whole.length;
    const { code, bare, entity, emoji, ...styles } = groups;
    const [name, inner = ""] = Object.entries(styles).find(([, found]) => found !== undefined) ?? [];
    if (code !== undefined) elements.push({ type: "text", text: unescapeText(code), style: { ...style, code: true } });
    else if (bare !== undefined) elements.push({ type: "link", url: unescapeText(bare), ...own });
    else if (entity !== undefined) elements.push({ ...entityElement(entity), ...own });
    else if (emoji !== undefined) elements.push({ type: "emoji", name: emoji, ...own });
    else if (name !== undefined) elements.push(...inlineElements(inner, { ...style, [name]: true }));
  }
  addText(text.slice(end));
  return elements;
}

/** Returns the element of a text in angle brackets; of a link for any text that is not one of Slack's entities. */
export function entityElement(whole: string): RichTextElement {
  const [, entity = "", label] = ENTITY.exec(whole) ?? [];
  if (entity.startsWith("@")) return { type: "user", user_id: entity.slice(1) };
  if (entity.startsWith("#")) return { type: "channel", channel_id: entity.slice(1) };
  if (entity.startsWith("!subteam^")) return { type: "usergroup", usergroup_id: entity.slice("!subteam^".length) };
  if (entity.startsWith("!date^")) {
    const [, timestamp, ...format] = entity.split("^");
    return {
      type: "date",
      timestamp: Number(timestamp),
      format: format.join("^"),
      fallback: unescapeText(label ?? ""),
    };
  }
  if (entity.startsWith("!")) return { type: "broadcast", range: entity.slice(1) as "here" | "channel" | "everyone" };
  return { type: "link", url: unescapeText(entity), ...(label && { text: unescapeText(label) }) };
}

function splitEntities(text: string): { text: string; entity: boolean }[] {
  const pieces: { text: string; entity: boolean }[] = [];
  let end = 0;
  for (const { 0: whole, index } of text.matchAll(new RegExp(ENTITY, "g"))) {
    pieces.push({ text: text.slice(end, index), entity: false }, { text: whole, entity: true });
    end = index + whole.length;
  }
  return [...pieces, { text: text.slice(end), entity: false }];
}

function escapeText(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
