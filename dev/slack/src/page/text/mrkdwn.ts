import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";
import { type Found, tokenAt } from "./mrkdwn-token.ts";

const styles = { "*": "bold", _: "italic", "~": "strike" } as const;
type Marker = keyof typeof styles;

const word = /[\p{L}\p{N}]/u;

/** Parses lines of mrkdwn: styles, code, references, emoji names and bare web addresses, with a break between lines. */
function parseInline(source: string): MrkdwnNode[] {
  return source
    .split("\n")
    .flatMap((line, index) => [...(index > 0 ? [{ type: "break" } as const] : []), ...parseLine(line, [])]);
}

/**
 * Parses one line. A style opens and closes at a word's edge, never inside a word. A style within itself has no effect, so the tree is at
 * most three styles deep. A marker without a twin is searched once, so the time is linear.
 */
function parseLine(line: string, open: readonly Marker[]): MrkdwnNode[] {
  const nodes: MrkdwnNode[] = [];
  const usable = new Set((Object.keys(styles) as Marker[]).filter((marker) => !open.includes(marker)));
  let plain = "";
  const flush = (): void => {
    if (plain) nodes.push({ type: "text", text: decodeEntities(plain) });
    plain = "";
  };
  for (let at = 0; at < line.length;) {
    const found = tokenAt(line, at) ?? styleAt(line, at, { open, usable });
    if (found) {
      flush();
      nodes.push(found.node);
    } else plain += line[at];
    at = found?.end ?? at + 1;
  }
  flush();
  return nodes;
}

interface Markers {
  open: readonly Marker[];
  /** Markers that can still open on this line. */
  usable: Set<Marker>;
}

function styleAt(line: string, at: number, { open, usable }: Markers): Found | undefined {
  const marker = line[at] as Marker;
  if (!usable.has(marker)) return undefined;
  if (word.test(line[at - 1] ?? "") || /^\s?$/.test(line[at + 1] ?? "")) return undefined;
  for (let end = line.indexOf(marker, at + 2); end >= 0; end = line.indexOf(marker, end + 1)) {
    if (/\s/.test(line[end - 1] ?? "") || word.test(line[end + 1] ?? "")) continue;
    const children = parseLine(line.slice(at + 1, end), [...open, marker]);
    return { node: { type: styles[marker], children }, end: end + 1 };
  }
  usable.delete(marker);
  return undefined;
}

const fence = /\n?```\n?([\s\S]*?)\n?```\n?/;
const quoteMark = /^(?:&gt;|>)((?:&gt;|>){2})? ?/;

/**
 * Parses Slack's mrkdwn into a tree without markup: fences, quotes, styles, references. Accepts any string and never throws. See
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function parseMrkdwn(source: string): MrkdwnNode[] {
  return source.split(fence).flatMap((piece, index) => {
    if (index % 2 === 1) return [{ type: "fence", text: decodeEntities(piece) } as const];
    return piece === "" ? [] : parseLines(piece.split("\n"));
  });
}

/** Groups neighboring lines by whether they are quoted. After `>>>` every line is quoted. */
function parseLines(lines: readonly string[]): MrkdwnNode[] {
  const groups: { quoted: boolean; lines: string[] }[] = [];
  let toTheEnd = false;
  for (const line of lines) {
    const found: RegExpExecArray | null = toTheEnd ? null : quoteMark.exec(line);
    toTheEnd ||= found?.[1] !== undefined;
    const quoted = toTheEnd || found !== null;
    const text = found ? line.slice(found[0].length) : line;
    const last = groups.at(-1);
    if (last?.quoted === quoted) last.lines.push(text);
    else groups.push({ quoted, lines: [text] });
  }
  return groups.flatMap((group) => {
    const children = parseInline(group.lines.join("\n"));
    return group.quoted ? [{ type: "quote", children } as const] : children;
  });
}
