import { parseInline } from "./mrkdwn-inline.ts";
import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";

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

/** Groups neighbouring lines by whether they are quoted. After `>>>` every line is quoted. */
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
