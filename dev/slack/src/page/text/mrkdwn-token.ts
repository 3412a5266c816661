import { emojiCharacter } from "./emoji.ts";
import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";

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
const emoji = /:([a-z0-9_+'-]+):/y;
const address = /https?:\/\/[^\s<>|"]*[^\s<>|"().,;:!?'*_~`\]]/y;

/** Parses the childless element at `at`: a reference, code, an emoji name, or a bare web address. */
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
    case ":":
      return read(emoji, emojiNode);
    case "h":
      return read(address, linkNode);
    case undefined:
    default:
      return undefined;
  }
}

function emojiNode(name: string): MrkdwnNode | undefined {
  const text = emojiCharacter(name);
  return text === undefined ? undefined : { type: "text", text };
}

function linkNode(source: string): MrkdwnNode | undefined {
  const text = decodeEntities(source);
  const href = safeHref(text);
  return href === undefined ? undefined : { type: "link", href, text };
}
