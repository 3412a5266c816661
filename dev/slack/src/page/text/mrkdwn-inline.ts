import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";
import { type Found, tokenAt } from "./mrkdwn-token.ts";

const styles = { "*": "bold", _: "italic", "~": "strike" } as const;
type Marker = keyof typeof styles;

const word = /[\p{L}\p{N}]/u;

/** Parses lines of mrkdwn: styles, code, references, emoji names and bare web addresses, with a break between lines. */
export function parseInline(source: string): MrkdwnNode[] {
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
