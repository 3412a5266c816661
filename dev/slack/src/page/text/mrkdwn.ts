import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";

const styles = { "*": "bold", _: "italic", "~": "strike" } as const;
type Marker = keyof typeof styles;

const word = /[\p{L}\p{N}]/u;

/** Parses lines of mrkdwn: styles, code, references and bare web addresses, with a break between lines. */
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

const allowed = new Set(["http:", "https:", "mailto:"]);

/**
 * Returns the normalized address if a link target is allowed: absolute `http`, `https` and `mailto` only. Returns undefined for every other
 * scheme (`javascript:`, `data:`, …) and for invalid URLs. The URL parser decides, not a pattern: it drops tabs and newlines inside a
 * scheme exactly as a browser does.
 */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target);
  return url && allowed.has(url.protocol) ? url.href : undefined;
}

/**
 * Parses the text between `<` and `>` in mrkdwn: a user, a channel, a broadcast, a date or a link. Returns undefined for other text, and
 * for a link with a disallowed scheme; the caller then shows the source as text. See
 * https://docs.slack.dev/messaging/formatting-message-text#advanced
 */
export function parseReference(inside: string): MrkdwnNode | undefined {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 || bar === inside.length - 1 ? undefined : decodeEntities(inside.slice(bar + 1));
  if (/^@[UW]\w+$/.test(target)) return { type: "user", id: target.slice(1), label };
  if (/^#[CG]\w+$/.test(target)) return { type: "channel", id: target.slice(1), label };
  if (/^!(?:channel|here|everyone)$/.test(target)) return { type: "broadcast", name: target.slice(1) };
  if (/^!subteam\^\w+$/.test(target)) return { type: "broadcast", name: label?.replace(/^@/, "") ?? target.slice(9) };
  if (target.startsWith("!date^") && label !== undefined) return { type: "text", text: label };
  const href = safeHref(decodeEntities(target));
  return href === undefined ? undefined : { type: "link", href, text: label ?? decodeEntities(target) };
}

/** A node and the index after its source. */
export interface Found {
  node: MrkdwnNode;
  end: number;
}

const reference = /<([^<>]+)>/y;
const code = /`([^`]+)`/y;
const address = /https?:\/\/[^\s<>|"]*[^\s<>|"().,;:!?'*_~`\]]/y;

/** Parses the childless element at `at`: a reference, code, or a bare web address. */
export function tokenAt(line: string, at: number): Found | undefined {
  const read = (pattern: RegExp, toNode: (inside: string) => MrkdwnNode | undefined): Found | undefined => {
    pattern.lastIndex = at;
    const hit = pattern.exec(line);
    const node = hit && toNode(hit[1] ?? hit[0]);
    return node ? { node, end: at + hit[0].length } : undefined;
  };
  switch (line[at]) {
    case "<":
      return read(reference, parseReference);
    case "`":
      return read(code, (inside) => ({ type: "code", text: decodeEntities(inside) }));
    case "h":
      return read(address, linkNode);
    case undefined:
    default:
      return undefined;
  }
}

function linkNode(source: string): MrkdwnNode | undefined {
  const text = decodeEntities(source);
  const href = safeHref(text);
  return href === undefined ? undefined : { type: "link", href, text };
}
