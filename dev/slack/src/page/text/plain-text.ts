import type { MrkdwnNode } from "./mrkdwn-node.ts";
import type { Names } from "./names.ts";

/** Returns a parsed message as plain text: `@Ada`, `#general`, `label (address)`, without styles. */
export function plainText(nodes: readonly MrkdwnNode[], names: Names): string {
  return nodes.map((node) => plainNode(node, names)).join("");
}

function plainNode(node: MrkdwnNode, names: Names): string {
  switch (node.type) {
    case "text":
    case "code":
      return node.text;
    case "fence":
      return `\n${node.text}\n`;
    case "break":
      return "\n";
    case "user":
    case "channel":
    case "broadcast":
      return referenceLabel(node, names);
    case "link":
      return node.text === node.href || `${node.text}/` === node.href ? node.text : `${node.text} (${node.href})`;
    case "quote":
      return `\n${plainText(node.children, names).replace(/^/gm, "> ")}\n`;
    case "bold":
    case "italic":
    case "strike":
    default:
      return plainText(node.children, names);
  }
}

/** Returns the readable form of a mention: `@name` or `#name`. The message's own label is used only for unknown ids. */
export function referenceLabel(
  node: Extract<MrkdwnNode, { type: "user" | "channel" | "broadcast" }>,
  names: Names,
): string {
  if (node.type === "broadcast") return `@${node.name}`;
  return `${node.type === "user" ? "@" : "#"}${names.get(node.id) ?? node.label ?? node.id}`;
}
