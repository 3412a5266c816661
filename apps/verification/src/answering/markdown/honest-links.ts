import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from "markdown-it";
import { literalMarkdown, withoutOverrides } from "./neutralise.ts";

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

const { unescapeAll } = new MarkdownIt().utils;

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

/** Code, or a link with its target and its label as shown. Positions are those of the inline text. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly link?: { readonly target: string; readonly label: string };
}

/** The inline text of one block, and a function from its positions to those of the whole text. */
export interface Inline {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly place: (position: number) => number;
}

/** Creates a parser that records spans into `env.spans`, with any target, as written. */
function recording(html: boolean, disabled: string[]): Parser {
  const md = new MarkdownIt({ html, maxNesting: 12 }).disable(disabled);
  md.core.ruler.enableOnly(["block"]);
  md.normalizeLink = (url) => url;
  md.validateLink = () => true;
  for (const name of ["link", "backticks"]) {
    const only = new MarkdownIt();
    only.inline.ruler.enableOnly([name]);
    const [rule = () => false] = only.inline.ruler.getRules("");
    md.inline.ruler.at(name, (state, silent) => {
      const from = state.pos;
      // Without the bracket that ends it, nothing is a link: an answer can have a million that begin one.
      if (name === "link" && from > lastEndOf(state)) return false;
      if (!silent) forgetLimits(state);
      const isFound = rule(state, silent);
      // Backticks that do not make code are pending text.
      if (!isFound || silent || state.pending !== "") return isFound;
      const link = name === "link" ? lastLink(state.tokens) : undefined;
      (state.env as { spans: Span[] }).spans.push({ from, to: state.pos, link });
      return true;
    });
  }
  return md;
}

function lastEndOf({ env, src }: StateInline): number {
  return ((env as { lastEnd?: number }).lastEnd ??= src.lastIndexOf("]"));
}

/** Removes what the parser remembers of brackets at the limit of nesting: that all the rest is text. It would hide a link behind them. */
function forgetLimits({ cache, pos, posMax }: StateInline): void {
  for (let next = pos + 1; next <= pos + 60; next += 1) if ((cache[next] ?? 0) > posMax) delete cache[next];
}

function lastLink(tokens: readonly Token[]): Span["link"] {
  const open = tokens.findLastIndex(({ type }) => type === "link_open");
  const shown = tokens.slice(open + 1).filter(({ type }) => type !== "html_inline");
  const label = shown.map(({ type, content }) => (type.endsWith("break") ? " " : content)).join("");
  return { target: String(tokens[open]?.attrGet("href")), label };
}

const commonMark = recording(false, ["image"]);
/** Reads what other renderers may read: no table, nesting, indent or tilde makes or ends code, HTML has no text, and images can be in labels. */
const flat = recording(true, ["table", "code", "html_block", "blockquote", "list"]);

/** Returns the inline texts of Markdown outside code blocks, once for each of two readings, because renderers differ. */
export function readLinks(text: string): Inline[] {
  if (!/[[|@]|&[#\w]/.test(text)) return [];
  // Each character keeps its place. Tables would remove the backslash of `\|`.
  const source = text.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replaceAll("\0", "\uFFFD");
  const unbarred = source.replaceAll(String.raw`\|`, "\\\u200B");
  return [...readInlines(commonMark, unbarred), ...readInlines(flat, unbarred.replaceAll("~", "\u200B"))];
}

function readInlines(md: Parser, source: string): Inline[] {
  const env: { spans: Span[]; lastEnd?: number | undefined } = { spans: [] };
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  let cursor = 0;
  return md.parse(source, env).flatMap(({ type, map, content }) => {
    cursor = Math.max(cursor, starts[map?.[0] ?? 0] ?? 0);
    if (type !== "inline") return [];
    let at = 0;
    // The lines of a block are in the source in order, without their indents and marks.
    const lines = content.split("\n").map((line) => {
      const bare = line.trim();
      cursor = Math.max(cursor, source.indexOf(bare, cursor)) + bare.length;
      const shift = cursor - line.trimEnd().length - at;
      at += line.length + 1;
      return { end: at, shift };
    });
    [env.spans, env.lastEnd] = [[], undefined];
    md.inline.parse(content, md, env, []);
    const place = (position: number): number => position + (lines.find(({ end }) => position < end)?.shift ?? 0);
    return [{ text: content, spans: env.spans, place }];
  });
}
