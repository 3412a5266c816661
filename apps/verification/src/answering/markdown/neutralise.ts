import { visibleLine } from "@crosszone/service-kit/text";
import type { PlainTextElement } from "@slack/web-api";
import { readCode, unescapeAll, withOthers } from "./read-markdown.ts";

/** Returns the text as one line of at most `longest` characters, cut with `…`, without characters that people can't see. */
export function oneLine(text: string, longest: number): string {
  // Far more than any line has, so that a megabyte of text costs no more.
  const line = visibleLine(text.trimStart().slice(0, 100 * longest));
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${visibleLine(characters.slice(0, longest).join(""))}…`;
}

/** Characters that change the direction of text, also as entities. */
const overrides = /[\u202A-\u202E\u2066-\u2069]|&#(?:0*(?:823[4-8]|829[4-7])|x0*(?:202[a-e]|206[6-9]));/giu;

/**
 * Returns the text without characters that change its direction, because with them an address, and code, reads as a different one. In code,
 * an entity stays: there it is text.
 */
export function withoutOverrides(text: string): string {
  if (text.search(overrides) === -1) return text;
  const { isCode } = readCode(text);
  return text.replaceAll(overrides, (found, index: number) => (found.startsWith("&") && isCode(index) ? found : ""));
}

/**
 * Characters with a meaning within a line: `_` except within a word, `&` at the start of an entity.
 * https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Returns Markdown that shows external text literally and sends no notification. */
export function literalMarkdown(text: string): string {
  return silentText(text.replace(marks, String.raw`\$&`));
}

/** Returns mrkdwn that shows external text literally and sends no notification. */
export function literalText(text: string): string {
  return text.replace(/[&<>]/g, (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[found] ?? found);
}

/** Invisible, does not break a word for readers, and disables addresses and Slack's syntax. ZERO WIDTH SPACE. */
const gap = "\u200B";

/**
 * Returns a text whose addresses Slack does not fetch for previews, because a preview of a model's answer could leak data. Unlike posts,
 * streamed messages have no option to disable previews. https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export function neutraliseLinks(text: string): string {
  return text.replaceAll(/(https?:)(?=\/\/)/gi, `$1${gap}`);
}

const less = "(?:<|&lt;|&#0*60;|&#x0*3c;)";
const at = "(?:@|&#0*64;|&#x0*40;|&commat;)";
const bang = "(?:!|&#0*33;|&#x0*21;|&excl;)";

/** `<!…` and `<@…`, including entities and backslashes that a Markdown parser removes. */
const control = new RegExp(`${less}(?=\\\\*(?:${at}|${bang}))`, "gi");
/** What Slack resolves of them: everybody, a group, a person. */
const everybody = /^<\\*!\\*(?:(?:channel|here|everyone|group)(?![\p{L}\p{N}_-])|subteam\^)/iu;
const anyone = /^<\\*@\\*[UWB][A-Z0-9]+(?!\w)/;
/** `@channel` and similar words alone, which some clients turn into mentions; excludes hosts of e-mail addresses, packages and calls. */
const broadcast = new RegExp(
  `(?<![\\p{L}\\p{N}_.+-])${at}(?=\\\\*(?:channel|here|everyone)(?![\\p{L}\\p{N}_/(-]|\\.[\\p{L}\\p{N}]))`,
  "giu",
);
const person = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/;
/** Longer than what comes before a mention's id, with all of it written as entities. */
const longestStart = 200;

/** Returns the `<` or `@` of what notifies others than `people`, in order. */
export function liveMentions(
  text: string,
  people: ReadonlySet<string>,
): { readonly from: number; readonly to: number }[] {
  const controls = [...text.matchAll(control)].filter(({ index }) => {
    const start = text.slice(index, index + longestStart);
    const mentioned = person.exec(start)?.[1];
    if (mentioned !== undefined && people.has(mentioned)) return false;
    const decoded = unescapeAll(start);
    return everybody.test(decoded) || anyone.test(decoded);
  });
  const found = [...controls, ...text.matchAll(broadcast)].toSorted((one, other) => one.index - other.index);
  return found.map(({ index: from, 0: { length } }) => ({ from, to: from + length }));
}

/**
 * Returns Markdown that notifies only `people`: `<!channel>`, `<!subteam^…>`, other mentions and `@here` stay readable but have no effect.
 * What is code to every reader stays byte for byte. Dates (`<!date^…>`) send no notification. The function is idempotent.
 * https://docs.slack.dev/messaging/formatting-message-text#special-mentions
 */
export function neutraliseMentions(text: string, people: ReadonlySet<string> = new Set()): string {
  const live = liveMentions(text, people);
  if (live.length === 0) return text;
  const { isSurelyCode } = readCode(text);
  const effective = live.filter(({ from }) => !isSurelyCode(from));
  return withOthers(text, effective, ({ from, to }) => `${text.slice(from, to)}${gap}`);
}

/** Returns plain text that sends no notification, however a reader interprets its marks. */
export function silentText(text: string): string {
  return text.replaceAll(control, `$&${gap}`).replaceAll(broadcast, `$&${gap}`);
}

/** Returns mrkdwn that shows a text as it is, with all its marks, and sends no notification. */
export function verbatimText(text: string): string {
  return literalText(text).replaceAll(broadcast, `$&${gap}`);
}

/** Returns a text of at most `longest` characters for a label, which sends no notification. */
export function plain(given: string, longest: number): PlainTextElement {
  const line = oneLine(given, longest);
  let text = silentText(line);
  for (let room = longest - 1; text.length > longest; room -= 1) text = silentText(oneLine(line, room));
  // Slack refuses a message with an empty text.
  return { type: "plain_text", text: text || "-", emoji: false };
}
