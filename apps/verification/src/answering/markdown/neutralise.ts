import { visibleLine } from "@crosszone/service-kit/text";
import type { PlainTextElement } from "@slack/web-api";

/** Returns the text as one line of at most `longest` characters, cut with `…`, without characters that people can't see. */
export function oneLine(text: string, longest: number): string {
  // Far more than any line has, so that a megabyte of text costs no more.
  const line = visibleLine(text.trimStart().slice(0, 100 * longest));
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${visibleLine(characters.slice(0, longest).join(""))}…`;
}

/** Characters that change the direction of text, also as entities. */
const overrides = /[\u202A-\u202E\u2066-\u2069]|&#(?:0*(?:823[4-8]|829[4-7])|x0*(?:202[a-e]|206[6-9]));/giu;

/** Returns the text without characters that change its direction, because with them an address reads as a different one. */
export function withoutOverrides(text: string): string {
  return text.replaceAll(overrides, "");
}

/**
 * Characters with a meaning within a line: `_` except within a word, `&` at the start of an entity.
 * https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Returns Markdown that shows external text literally and sends no notification. */
export function literalMarkdown(text: string): string {
  return neutraliseMentions(text.replace(marks, String.raw`\$&`));
}

/** Returns mrkdwn that shows external text literally and sends no notification. */
export function literalText(text: string): string {
  return text.replace(/[&<>]/g, (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[found] ?? found);
}

/** Invisible, and prevents the text around it from being an address. ZERO WIDTH SPACE. */
const zeroWidth = "\u200B";

/**
 * Returns a text whose addresses Slack does not fetch for previews, because a preview of a model's answer could leak data. Unlike posts,
 * streamed messages have no option to disable previews. https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export function neutraliseLinks(text: string): string {
  return text.replaceAll(/(https?:)(?=\/\/)/gi, `$1${zeroWidth}`);
}

/** Invisible, does not break a word for readers, and disables Slack's syntax. ZERO WIDTH SPACE. */
const gap = "\u200B";

const less = "(?:<|&lt;|&#0*60;|&#x0*3c;)";
const at = "(?:@|&#0*64;|&#x0*40;|&commat;)";
const bang = "(?:!|&#0*33;|&#x0*21;|&excl;)";

/** `<!…` and `<@…`, including entities and backslashes that a Markdown parser removes. */
const control = new RegExp(`(${less})(?=\\\\*(?:${at}|${bang}))`, "gi");
/** `@channel` and similar words that some clients turn into mentions; excludes the host of an e-mail address. */
const broadcast = new RegExp(`(?<![\\p{L}\\p{N}_.+-])(${at})(?=\\\\*(?:channel|here|everyone|group))`, "giu");
const person = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/;
const date = /^<!date\^/;

/**
 * Returns a text that notifies only `people`: `<!channel>`, `<!subteam^…>`, other mentions and `@here` stay readable but have no effect, in
 * prose and in code. Dates (`<!date^…>`) send no notification and stay unchanged. The function is idempotent.
 * https://docs.slack.dev/messaging/formatting-message-text#special-mentions
 */
export function neutraliseMentions(text: string, people: ReadonlySet<string> = new Set()): string {
  return text
    .replaceAll(control, (found: string, _group, index: number) => {
      const rest = text.slice(index);
      const mentioned = person.exec(rest)?.[1];
      const harmless = (mentioned !== undefined && people.has(mentioned)) || date.test(rest);
      return harmless ? found : `${found}${gap}`;
    })
    .replaceAll(broadcast, `$1${gap}`);
}

/** Returns a text of at most `longest` characters for a label, which sends no notification. */
export function plain(given: string, longest: number): PlainTextElement {
  const line = oneLine(given, longest);
  let text = neutraliseMentions(line);
  for (let room = longest - 1; text.length > longest; room -= 1) text = neutraliseMentions(oneLine(line, room));
  // Slack refuses a message with an empty text.
  return { type: "plain_text", text: text || "-", emoji: false };
}
