import { type Child, h } from "../frame/element.ts";
import { type MrkdwnNode, referenceLabel } from "../text/mrkdwn-node.ts";
import { parseMrkdwn } from "../text/mrkdwn.ts";
import type { Reader } from "../text/names.ts";

/** Draws Slack's mrkdwn. */
export function drawMrkdwn(text: string, reader: Reader): Child[] {
  return drawNodes(parseMrkdwn(text), reader);
}

function drawNodes(nodes: readonly MrkdwnNode[], reader: Reader): Child[] {
  return nodes.map((node) => drawNode(node, reader));
}

const styleTags = { bold: "strong", italic: "em", strike: "s", quote: "blockquote" } as const;

function drawNode(node: MrkdwnNode, reader: Reader): Child {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return h("code", {}, node.text);
    case "fence":
      return h("pre", { tabindex: 0 }, h("code", {}, node.text));
    case "break":
      return h("br");
    case "link":
      return h("a", { href: node.href, target: "_blank", rel: "noopener noreferrer nofollow" }, node.text);
    case "user":
    case "channel":
    case "broadcast": {
      const loud = node.type === "broadcast" || (node.type === "user" && node.id === reader.user);
      return h("span", { class: loud ? "mention broadcast" : "mention" }, referenceLabel(node, reader.names));
    }
    case "bold":
    case "italic":
    case "strike":
    case "quote":
    default:
      return h(styleTags[node.type], {}, ...drawNodes(node.children, reader));
  }
}
