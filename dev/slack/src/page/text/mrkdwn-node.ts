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

/** A parsed mrkdwn message as a tree, independent of how it is drawn. Every `href` has passed `safeHref`. */
export type MrkdwnNode =
  | { type: "text" | "code" | "fence"; text: string }
  | { type: "bold" | "italic" | "strike" | "quote"; children: MrkdwnNode[] }
  | { type: "break" }
  | { type: "link"; href: string; text: string }
  | { type: "user" | "channel"; id: string; label: string | undefined }
  | { type: "broadcast"; name: string };

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Unescapes Slack's three entities; every other `&…;` stays as text. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}
