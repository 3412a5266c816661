import { emojiCharacter } from "./emoji.ts";
import { decodeEntities, type MrkdwnNode } from "./mrkdwn-node.ts";
import { parseReference, safeHref } from "./mrkdwn-reference.ts";

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
