import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from "markdown-it";

/** Returns the text that Markdown's entities and backslashes mean. */
export const { unescapeAll } = new MarkdownIt().utils;

/** Returns a text with something else in some of its places, which are in order. */
export function withOthers<Range extends { readonly from: number; readonly to: number }>(
  text: string,
  places: readonly Range[],
  other: (place: Range) => string,
): string {
  const kept = places.map((place, index) => text.slice(places[index - 1]?.to ?? 0, place.from) + other(place));
  return kept.join("") + text.slice(places.at(-1)?.to ?? 0);
}

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
      const env = state.env as { spans: Span[]; lastEnd?: number };
      // Without the bracket that ends it, nothing is a link: an answer can have a million that begin one.
      if (name === "link" && from > (env.lastEnd ??= state.src.lastIndexOf("]"))) return false;
      if (!silent) forgetLimits(state);
      const isFound = rule(state, silent);
      // Backticks that do not make code are pending text.
      if (!isFound || silent || state.pending !== "") return isFound;
      const link = name === "link" ? lastLink(state.tokens) : undefined;
      env.spans.push({ from, to: state.pos, link });
      return true;
    });
  }
  return md;
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
const withHtml = recording(true, ["image"]);
/** Reads what other renderers may read: no table, nesting, indent or tilde makes or ends code, HTML has no text, and images can be in labels. */
const flat = recording(true, ["table", "code", "html_block", "blockquote", "list"]);

/** Returns the inline texts of Markdown outside code blocks, once for each of two readings, because renderers differ. */
export function readLinks(text: string): Inline[] {
  if (!/[[|@]|&[#\w]/.test(text)) return [];
  const source = inPlace(text);
  return [commonMark, flat].flatMap((md) => read(md, md === flat ? source.replaceAll("~", "\u200B") : source).inlines);
}

/** Returns a text that parsers read without moving a character. Tables would remove the backslash of `\|`. */
function inPlace(text: string): string {
  const source = text.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replaceAll("\0", "\uFFFD");
  return source.replaceAll(String.raw`\|`, "\\\u200B");
}

/** Where code is in a text. */
interface CodePlaces {
  /** True if CommonMark says so. */
  readonly isCode: (index: number) => boolean;
  /** True if every reader says so: CommonMark, with and without HTML, and one that pairs backticks as chat does. */
  readonly isSurelyCode: (index: number) => boolean;
}

/** Backticks as chat pairs them: three across lines, one within a line. */
const paired = /`{3}([\s\S]+?)`{3}|`([^`\n]+)`/g;

/** Returns where code is in Markdown. */
export function readCode(text: string): CodePlaces {
  const source = inPlace(text);
  const chat = [...text.matchAll(paired)].map(({ index, 1: block = "", 2: line = "" }): Place => {
    const from = index + (block === "" ? 1 : 3);
    return [from, from + block.length + line.length];
  });
  const plainly = within(codeOf(read(commonMark, source)));
  const surely = [plainly, within(codeOf(read(withHtml, source))), within(chat)];
  return { isCode: plainly, isSurelyCode: (index) => surely.every((isIn) => isIn(index)) };

  function within(places: readonly Place[]): (index: number) => boolean {
    const covered = new Uint8Array(text.length);
    for (const [from, to] of places) covered.fill(1, from, to);
    return (index) => covered[index] === 1;
  }
}

type Place = readonly [from: number, to: number];

function codeOf({ inlines, blocks }: Reading): Place[] {
  const spans = inlines.flatMap(({ spans: all, place }) =>
    all.filter(({ link }) => link === undefined).map(({ from, to }): Place => [place(from), place(to - 1) + 1]),
  );
  return [...blocks, ...spans];
}

/** The inline texts of Markdown, and the places of its code blocks without their fences. */
interface Reading {
  readonly inlines: readonly Inline[];
  readonly blocks: readonly Place[];
}

function read(md: Parser, source: string): Reading {
  const blocks: Place[] = [];
  const env: { spans: Span[]; lastEnd?: number | undefined } = { spans: [] };
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  let cursor = 0;
  const inlines = md.parse(source, env).flatMap(({ type, map, content }) => {
    const [first, last] = map ?? [0, 0];
    cursor = Math.max(cursor, starts[first] ?? 0);
    if (type === "code_block") blocks.push([starts[first] ?? 0, starts[last] ?? source.length]);
    if (type === "fence") blocks.push([starts[first + 1] ?? source.length, starts[last] ?? source.length]);
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
  return { inlines, blocks };
}
