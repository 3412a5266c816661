import type { SlackApi } from "./slack-api.ts";

/** Names of people (`Bob Carter`), user groups (`@oncall`) and channels (`#general`), by Slack id. */
export type Names = ReadonlyMap<string, string>;

/** Where names are looked up. Rejects when Slack fails or times out. */
export interface NameLookups extends Pick<SlackApi, "user" | "channel"> {
  /** Resolves with the handle of a user group, such as `oncall`. */
  readonly groupHandle: (id: string) => Promise<string | undefined>;
}

/** Matches code, which stays as it is, and a person, a channel or a group in Slack's notation. */
const named = /```[\s\S]*?```|`[^`\n]+`|<(?:@([UW][A-Z0-9]+)|#([CDG][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>/g;

/** Most names that are looked up at once: those that the texts mention first. */
const mostLookups = 50;

/** Looks up the names of everyone whom texts mention. What Slack does not know, or does not answer in time, has no name. */
export async function namesIn(texts: Iterable<string>, directory: NameLookups): Promise<Names> {
  const lookups = new Map<string, () => Promise<string | undefined>>();
  for (const text of texts)
    for (const [, user, channel, group] of text.matchAll(named)) {
      if (user !== undefined) lookups.set(user, async () => (await directory.user(user))?.name);
      if (channel !== undefined)
        lookups.set(channel, async () => marked("#", (await directory.channel(channel))?.name));
      if (group !== undefined) lookups.set(group, async () => marked("@", await directory.groupHandle(group)));
    }
  const found = await Promise.all(
    [...lookups].slice(0, mostLookups).map(async ([id, lookUp]) => {
      const name = (await lookUp().catch(() => undefined))?.replaceAll(/[<>|\s]+/g, " ").trim();
      return name === undefined || name === "" ? [] : [[id, name] as const];
    }),
  );
  return new Map(found.flat());
}

const marked = (sign: string, name: string | undefined): string | undefined => name && `${sign}${name}`;

/** Returns a text with names: `<@U…|Bob Carter>`, `<!subteam^S…|@oncall>`, `#general`. Ids without a name stay as they are. */
export function withNames(text: string, names: Names): string {
  return text.replaceAll(named, (whole: string, ...groups: (string | undefined)[]) => {
    const [user, channel, group] = groups;
    const name = names.get(user ?? channel ?? group ?? "");
    if (name === undefined) return whole;
    if (channel !== undefined) return name;
    return user === undefined ? `<!subteam^${group}|${name}>` : `<@${user}|${name}>`;
  });
}

/** Returns a time as mrkdwn, which Slack shows in each reader's time zone. */
export function timeMrkdwn(timestamp: string): string {
  const ms = Date.parse(timestamp);
  const fallback = new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
  return `<!date^${Math.floor(ms / 1_000)}^{date_short_pretty} at {time}|${fallback}>`;
}

/** Removes Slack's escaping. */
export const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Maximum characters of a notification; all of them count towards the length of the message. */
const longestNotification = 300;

/** Replaces, in order: channels, Slack's other notation, links, fences with rules and the lines below a table's header, marks of lines, marks within lines. */
const marksOfMarkdown: readonly [pattern: RegExp, shown: string][] = [
  [/<#\w+>/g, "a channel"],
  [/<[@!#][^<>|]*(?:\|([^<>]*))?>/g, "$1"],
  [/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1"],
  [/^[ \t]*(?:[`~]{3,}.*|[ \t:|_*=-]+)$/gm, " "],
  [/^[ \t>]*(?:(?:#{1,6}|[-*+])[ \t]+)?/gm, ""],
  [/[*`]|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\\(?=[!-/:-@[-`{-~])/gu, ""],
  [/[\s|]+/g, " "],
];

/** Returns the beginning of a Markdown text as notifications and screen readers have it: plain, and without mentions. */
export function notificationOf(markdown: string): string {
  const beginning = markdown.slice(0, 4 * longestNotification).toWellFormed();
  const plain = marksOfMarkdown.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), beginning).trim();
  const characters = Array.from(plain);
  const cut = characters.length > longestNotification ? `${characters.slice(0, longestNotification).join("")}…` : plain;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("@", "@\u200B");
}
