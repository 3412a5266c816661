import type { UnreadableContent } from "@crosszone/contracts";

/** What a reading finds besides the words. */
export interface Reading {
  /** The app's user id; mentions of it are not words. Empty for content of others, where they are. */
  readonly botUserId: string;
  readonly mentions: string[];
  readonly unreadable: UnreadableContent[];
  hasQuotes: boolean;
  /** False in quotations and code, where a mention addresses nobody. */
  counts: boolean;
}

/** Stands for a mention of the app until the whole message is read. */
export const appMention = "\0";

/** Reads with `read` what is quoted, or is code: mentions in it address nobody. */
export function withoutMentions<Found>(reading: Reading, read: () => Found): Found {
  const { counts } = reading;
  reading.counts = false;
  const found = read();
  reading.counts = counts;
  return found;
}

/** Names a part that this zone does not know. */
export function noteUnknown(reading: Reading, type: string): void {
  const what = `A part of the type “${type.slice(0, 100)}”`;
  if (!reading.unreadable.some((known) => known.what === what))
    reading.unreadable.push({ what, why: "Crosszone does not know this type, so something can be missing." });
}

export type RawObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is RawObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a member that is a text; undefined for an empty one. */
export function textIn(raw: RawObject, name: string): string | undefined {
  const value = raw[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the objects of a member that is a list. */
export function objectsIn(raw: RawObject, name: string): RawObject[] {
  const value = raw[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const code = /(```[\s\S]*?```|`[^`\n]+`)/;
const quoted = /^&gt;/;

/**
 * Reads Slack's text as the person typed it: links and channels become readable, and `&amp;`, `&lt;` and `&gt;` are unescaped. People and
 * groups stay as `<@U…>` and `<!subteam^S…>`. `styled` also turns Slack's bold and strike into Markdown, for text that no person typed.
 * https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 */
export function readMrkdwn(text: string, reading: Reading, { styled = false } = {}): string {
  const rest = text.search(/^&gt;&gt;&gt;/m);
  if (rest >= 0) {
    const quote = text.slice(rest).replace(/^&gt;&gt;&gt;\s?|\n/g, (found) => (found === "\n" ? "\n&gt; " : "&gt; "));
    return readMrkdwn(`${text.slice(0, rest)}${quote}`, reading, { styled });
  }
  const read = text.split(/(```[\s\S]*?```)/).map((part, index) => {
    if (index % 2 === 1) return withoutMentions(reading, () => readNotation(part, reading));
    const lines = part.split("\n");
    return lines.map((line, at) => {
      const isQuote = (at > 0 || index === 0) && quoted.test(line);
      if (isQuote) reading.hasQuotes = true;
      // A line below a quotation would belong to it.
      const apart = !isQuote && line.trim() !== "" && quoted.test(lines[at - 1] ?? "") ? "\n" : "";
      const words = line.split(code).map((piece, of) => {
        const isWords = of % 2 === 0;
        const shown = isWords && styled ? withStyles(piece) : piece;
        const addressing = isWords && !isQuote;
        return addressing ? readNotation(shown, reading) : withoutMentions(reading, () => readNotation(shown, reading));
      });
      return apart + words.join("");
    });
  });
  return read.map((part) => (typeof part === "string" ? part : part.join("\n"))).join("");
}

/** `*bold*` and `~strike~` between characters that are neither letters nor digits. */
function withStyles(text: string): string {
  return text
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]+)(?<!\s)\*(?![\p{L}\p{N}*])/gu, "**$1**")
    .replaceAll(/(?<![\p{L}\p{N}~])~(?=[^\s~])([^~]+)(?<!\s)~(?![\p{L}\p{N}~])/gu, "~~$1~~");
}

const bracketed = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

function readNotation(text: string, reading: Reading): string {
  return unescape(
    text.replaceAll(bracketed, (whole: string, ...groups: (string | undefined)[]) => {
      const [sign, target = "", label] = groups;
      if (sign === "@") return mentionText(target, reading, whole);
      if (sign === "#") return label ? `#${label}` : `<#${target}>`;
      if (sign === "!") return target.startsWith("subteam^") ? whole : specialText(target, label);
      return linkText(target, label);
    }),
  );
}

/** Removes Slack's escaping. */
export const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Returns a mention of a person in Slack's notation, and notes it. */
export function mentionText(user: string, reading: Reading, whole = `<@${user}>`): string {
  if (!reading.counts) return whole;
  if (/^[UW][A-Z0-9]+$/.test(user)) reading.mentions.push(user);
  return user === reading.botUserId ? appMention : whole;
}

function specialText(target: string, label: string | undefined): string {
  const [kind = "", seconds] = target.split("^");
  return label || (kind === "date" ? dateText(Number(seconds)) : `@${kind}`);
}

/** Returns a time, Unix seconds, as text. */
export function dateText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

/** Returns a link as text: its label, with the address behind it unless the label says it. */
export function linkText(target: string, label: string | undefined): string {
  if (!label) return target;
  if (!target.endsWith(label)) return `${label} (${target})`;
  return target.startsWith("mailto:") || target.startsWith("tel:") ? label : target;
}
