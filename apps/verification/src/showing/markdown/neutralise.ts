import { showUnseen, visibleLine } from "@crosszone/service-kit/text";
import type { PlainTextElement } from "@slack/web-api";
import type { Names } from "../../slack/notation.ts";
import { tablesIn } from "./plan-blocks.ts";
import { type Inline, readCode, readLinks, unescapeAll, withOthers } from "./read-markdown.ts";

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

/** Returns a mention of a person as mrkdwn; of an API token, its name. */
export function mention(user: string): string {
  return /^[UW][A-Z0-9]+$/.test(user) ? `<@${user}>` : literalText(showUnseen(user));
}

/** Returns a mention of a channel as mrkdwn; what is no id as text. The channel of a schedule or a request is what its author wrote. */
export function channelMention(channel: string): string {
  return /^[CDG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : literalText(showUnseen(channel));
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

/** Text that looks like an address: a host, with or without a scheme and a user. */
const address =
  /(https?:\/\/)?(?:([^\s/@]{1,200})@)?((?:[\p{L}\p{N}-]{1,63}[.\u3002\uFF0E\uFF61]){1,10}[\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}@])/giu;
const decoration = /[*_~`\\]|\p{Default_Ignorable_Code_Point}/gu;

/** Slack's own `<address|label>`, or an address with a user, which can look like a host. */
const plainLink =
  /<\u200B*(?<target>[a-z][a-z\d+.-]{1,30}:[^\s|<>]{1,2000})\|(?<label>[^<>]{1,500})>\u200B*|(?<bare>https?:\/\/[^\s<>|/?#\\@]{0,200}@[^\s<>|@]{0,1999}[^\s<>|@.,;:!?)\]'"*_~])>?/giu;
const entity = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/giu;

/**
 * Returns Markdown in which no link hides its target. When a label names a different host, the link's host follows the link:
 * `[https://bank.example](https://evil.example) (evil.example)`. Code is unchanged, but no character changes the direction of text.
 * Idempotent. An unfinished text ends where more text could add or remove a host: at a misleading link whose paragraph goes on, or at a
 * label whose link can follow.
 */
export function honestLinks(text: string, { isUnfinished = false } = {}): string {
  const safe = withoutOverrides(text);
  const inlines = readLinks(safe);
  const lies = inlines.flatMap(liesOf).toSorted((one, other) => one.to - other.to);
  const lastParagraph = safe.lastIndexOf("\n\n");
  const provisional = lies.filter(({ to }) => to > lastParagraph).map(({ from }) => from);
  const end = isUnfinished ? Math.min(safe.length, ...provisional, ...inlines.flatMap(openLabels)) : safe.length;
  let rest = 0;
  let honest = "";
  for (const { to, leadsTo } of lies.filter((lie) => lie.to <= end)) {
    const note = ` (${literalMarkdown(leadsTo)})`;
    honest += safe.slice(rest, to) + (to === rest || safe.startsWith(note, to) ? "" : note);
    rest = to;
  }
  return honest + safe.slice(rest, end);
}

function liesOf(inline: Inline): { from: number; to: number; leadsTo: string }[] {
  const links = inline.spans.flatMap(({ from, to, link }) => (link === undefined ? [] : [{ from, to, ...link }]));
  const others = matchesOutside(inline, plainLink).map(({ index: from, 0: found, groups }) => {
    const { target, label, bare = "" } = groups as Record<string, string | undefined>;
    return { from, to: from + found.length, target: target ?? bare, label: label ?? bare };
  });
  return [...links, ...others].flatMap(({ from, to, target, label }) => {
    const leadsTo = destination(target.replaceAll("\u200B", ""));
    const isHonest = leadsTo === undefined || namedHosts(label).every((host) => host === leadsTo);
    return isHonest ? [] : [{ from: inline.place(from), to: inline.place(to - 1) + 1, leadsTo }];
  });
}

/** Returns where the first label begins that names a host and is not a link yet. */
function openLabels(inline: Inline): number[] {
  const open = matchesOutside(inline, /\[([^[\]]+)/g).find(([, label = ""]) => namedHosts(label).length > 0);
  return open === undefined ? [] : [inline.place(open.index)];
}

/** Returns the matches that do not begin within code or a link. */
function matchesOutside({ text, spans }: Inline, pattern: RegExp): RegExpExecArray[] {
  const covered = new Uint8Array(text.length);
  for (const { from, to } of spans) covered.fill(1, from, to);
  return [...decodedText(text).matchAll(pattern)].filter(({ index }) => covered[index] === 0);
}

/** Returns a text of the same length in which entities and escaped bars are their characters, padded with zero-width spaces. */
function decodedText(text: string): string {
  const bars = text.replaceAll("\\\u200B", "\u200B|");
  return bars.replaceAll(entity, (found) => unescapeAll(found).padEnd(found.length, "\u200B"));
}

function namedHosts(label: string): string[] {
  return [...label.replace(decoration, "").matchAll(address)].flatMap(([, scheme, user = "", host = ""]) => {
    const named = hostOf(`https://${host}`);
    const before = scheme === undefined ? [] : namedHosts(user);
    return named === undefined ? before : [...before, named];
  });
}

/** Returns the host of an address, or the scheme of one without a host; undefined for a target within the page. */
function destination(url: string): string | undefined {
  const parsed = URL.parse(url.trim(), "https://page.invalid/");
  if (parsed === null || parsed.host === "page.invalid") return undefined;
  if (/^https?:$/.test(parsed.protocol)) return hostOf(parsed.href);
  return (parsed.protocol === "mailto:" && hostOf(`https://${parsed.pathname.split("@").at(-1)}`)) || parsed.protocol;
}

/** Returns the host in lower-case ASCII without `www.`; undefined when the address is not a URL. */
const hostOf = (url: string): string | undefined => URL.parse(url)?.host.replace(/^www\./, "");

/** Whom an answer can notify, and the names of the others in it. */
export interface Audience {
  readonly people: ReadonlySet<string>;
  readonly names?: Names | undefined;
}

export const longestName = 80;

/** A person or a user group in Slack's notation. */
const mentions = /(?<!\\)<(?:@([UWB][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|([^<>]{1,200}))?>/g;
const details = /(?<!\\)<\/?details(?:[ \t]+open)?>[ \t]*\n?/gi;
const summary = /(?<!\\)<summary>([^<>]{1,300})<\/summary>[ \t]*\n?/gi;
const lineBreak = /(?<![\\ \t])[ \t]*<br[ \t]*\/?>[ \t]*\n?/gi;

/**
 * Returns Markdown in which Slack shows what it would not show: the names of people and groups that the answer does not notify, line breaks,
 * and folded details, whose title becomes bold. Code is unchanged. Idempotent.
 */
export function readable(text: string, audience: Audience): string {
  const named = replaceOutsideCode(text, mentions, ([found]) => nameOf(found, audience));
  const unfolded = replaceOutsideCode(named, details, ({ index, input }) =>
    index === 0 || input[index - 1] === "\n" ? "" : "\n",
  );
  const titled = replaceOutsideCode(unfolded, summary, ([, title = ""]) => `**${oneLine(title, 300)}**\n`);
  let isInTable: ((place: number) => boolean) | undefined;
  return replaceOutsideCode(titled, lineBreak, ({ index, input, 0: { length } }) => {
    if (!(isInTable ??= tablesIn(input))(index)) return "\n";
    return /^[ \t]*\|/.test(input.slice(index + length, index + length + 10)) ? " " : "; ";
  });
}

/** Returns the places that `readable` changes unless they are code, in order. */
export function madeReadable(text: string, { people }: Audience): number[] {
  const named = unnamedIn(text, { people }).map(({ index }) => index);
  const others = [details, summary, lineBreak].flatMap((pattern) => [...text.matchAll(pattern)]);
  return [...named, ...others.map(({ index }) => index)].toSorted((one, other) => one - other);
}

/** Returns the mentions in a text whose names are not known, and that the answer does not notify; `name` is what is shown instead. */
export function unnamedIn(
  text: string,
  { people, names }: Audience,
): { readonly index: number; readonly id: string; readonly name: string }[] {
  return [...text.matchAll(mentions)].flatMap(({ index, 1: user, 2: group = "", 3: label }) => {
    if ((user !== undefined && people.has(user)) || names?.has(user ?? group)) return [];
    return { index, id: user ?? group, name: label ?? (user === undefined ? "a user group" : "someone") };
  });
}

function nameOf(found: string, { people, names }: Audience): string {
  const [unnamed] = unnamedIn(found, { people });
  if (unnamed === undefined) return found;
  return literalMarkdown(oneLine(names?.get(unnamed.id) ?? unnamed.name, longestName));
}

function replaceOutsideCode(text: string, pattern: RegExp, replaced: (match: RegExpExecArray) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { isCode } = readCode(text);
  const places = found.map((match) => ({ from: match.index, to: match.index + match[0].length, match }));
  const outside = places.filter(({ from, to }) => !isCode(from) && !isCode(to - 1));
  return withOthers(text, outside, ({ match }) => replaced(match));
}
