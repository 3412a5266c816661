import type { OthersContent, UnreadableContent } from "@crosszone/contracts";
import { isObject, type JsonObject } from "@crosszone/service-kit/json";
import { unescape } from "../notation.ts";
import type { SlackFile } from "../slack-api.ts";

/** What is found while a message is read. */
export interface MessageReading {
  readonly botUserId: string;
  readonly mentions: string[];
  readonly others: OthersContent[];
  readonly files: SlackFile[];
  readonly unreadable: UnreadableContent[];
  hasQuotes: boolean;
  /** False in code and in words of others, where a mention addresses nobody and stays as it is. */
  counts: boolean;
}

/** Stands for a mention of the app until the whole message is read. */
export const appMention = "\0";

/** Reads with `read` what is quoted, or is code: mentions in it address nobody. */
export function withoutMentions<Found>(reading: MessageReading, read: () => Found): Found {
  const { counts } = reading;
  reading.counts = false;
  const found = read();
  reading.counts = counts;
  return found;
}

/** More than any message of a person has. */
const mostNoted = 50;

/** Names a part that could not be read, once. */
export function note({ unreadable }: MessageReading, what: string, why: string): void {
  if (unreadable.length < mostNoted && !unreadable.some((known) => known.what === what)) unreadable.push({ what, why });
}

/** Names a part of a type that this zone does not know. */
export const noteUnknown = (reading: MessageReading, type: string): void =>
  note(reading, `A part of the type “${type.slice(0, 100)}”`, "I don't know this type, so something can be missing.");

/** Returns a text or a number as text; empty for any other value. */
export const plainTextOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** Returns the objects of a list. */
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Joins the texts that are not empty. */
export const joined = (texts: readonly string[], by: string): string => texts.filter((text) => text !== "").join(by);

const quoted = /^&gt;/;

/**
 * Reads Slack's text as the person typed it: links and channels become readable, and `&amp;`, `&lt;` and `&gt;` are unescaped. People and
 * groups stay as `<@U…>` and `<!subteam^S…>`. https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 */
export function readMrkdwn(text: string, reading: MessageReading): string {
  const parts = text.split(/(```[\s\S]*?```)/).map((part, index) => {
    if (index % 2 === 1) return withoutMentions(reading, () => readNotation(part, reading));
    const lines = part.split("\n").map((line, at, all) => {
      const isQuote = (at > 0 || index === 0) && quoted.test(line);
      if (isQuote) reading.hasQuotes = true;
      const words = line.split(/(`[^`]+`)/).map((piece, of) => {
        const read = (): string => readNotation(piece, reading);
        return isQuote || of % 2 === 1 ? withoutMentions(reading, read) : read();
      });
      // A line below a quotation would belong to it.
      const isApart = !isQuote && line.trim() !== "" && quoted.test(all[at - 1] ?? "");
      return `${isApart ? "\n" : ""}${words.join("")}`;
    });
    return lines.join("\n");
  });
  return parts.join("");
}

const bracketed = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

function readNotation(text: string, reading: MessageReading): string {
  return unescape(
    text.replaceAll(bracketed, (whole: string, ...groups: (string | undefined)[]) => {
      const [sign, target = "", label] = groups;
      if (sign === "@") return mentionText(target, reading, whole);
      if (sign === "#") return label ? `#${label}` : `<#${target}>`;
      if (sign === "") return linkText(target, label);
      const [kind = "", seconds] = target.split("^");
      return kind === "subteam" ? whole : label || (kind === "date" ? dateText(seconds) : `@${kind}`);
    }),
  );
}

/** Returns a mention of a person in Slack's notation, and notes it. */
export function mentionText(user: string, reading: MessageReading, whole = `<@${user}>`): string {
  if (!reading.counts) return whole;
  if (/^[UW][A-Z0-9]+$/.test(user)) reading.mentions.push(user);
  return user === reading.botUserId ? appMention : whole;
}

/** Returns a time, Unix seconds, as text. */
export function dateText(seconds: unknown): string {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

/** Returns a link as text: its label, with the address behind it unless the label says it. */
export function linkText(target: string, label: string | undefined): string {
  if (!label || !target) return target || label || "";
  if (!target.endsWith(label)) return `${label} (${target})`;
  return target.startsWith("mailto:") || target.startsWith("tel:") ? label : target;
}
