import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from "markdown-it";

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
  const env: { spans: Span[] } = { spans: [] };
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
    env.spans = [];
    md.inline.parse(content, md, env, []);
    const place = (position: number): number => position + (lines.find(({ end }) => position < end)?.shift ?? 0);
    return [{ text: content, spans: env.spans, place }];
  });
}
