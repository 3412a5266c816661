import { literalMarkdown, withoutOverrides } from "./neutralise.ts";
import { type Inline, readLinks, unescapeAll } from "./read-markdown.ts";

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
  const provisional = lies.filter(({ to }) => to > safe.lastIndexOf("\n\n")).map(({ from }) => from);
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
  const others = outside(inline, plainLink).map(({ index: from, 0: found, groups }) => {
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
  const open = outside(inline, /\[([^[\]]+)/g).find(([, label = ""]) => namedHosts(label).length > 0);
  return open === undefined ? [] : [inline.place(open.index)];
}

/** Returns the matches that do not begin within code or a link. */
function outside({ text, spans }: Inline, pattern: RegExp): RegExpExecArray[] {
  const covered = new Uint8Array(text.length);
  for (const { from, to } of spans) covered.fill(1, from, to);
  return [...decoded(text).matchAll(pattern)].filter(({ index }) => covered[index] === 0);
}

/** Returns a text of the same length in which entities and escaped bars are their characters, padded with zero-width spaces. */
function decoded(text: string): string {
  const bars = text.replaceAll("\\\u200B", "\u200B|");
  return bars.replaceAll(entity, (found) => unescapeAll(found).padEnd(found.length, "\u200B"));
}

function namedHosts(label: string): string[] {
  return [...label.replace(decoration, "").matchAll(address)].flatMap(([, scheme, user = "", host = ""]) => {
    const named = hostOf(`https://${host}`);
    return [...(scheme === undefined ? [] : namedHosts(user)), ...(named === undefined ? [] : [named])];
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
