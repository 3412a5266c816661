// oxlint-disable-next-line import/no-absolute-path -- the server serves the library there
import MarkdownItBrowser from "/assets/markdown-it.js";
import type { Message } from "../../protocol/workspace.ts";
import { type Child, h } from "../frame/element.ts";
import type { Reader } from "../text/names.ts";
import { createMarkdown } from "../text/markdown.ts";
import { type Content, messageContent } from "../text/message-content.ts";
import { type MrkdwnNode, referenceLabel } from "../text/mrkdwn-node.ts";
import { parseMrkdwn } from "../text/mrkdwn.ts";
import { drawPlan, drawTask } from "./message-extras.ts";

const renderMarkdown = createMarkdown(MarkdownItBrowser);

/** Draws the content of a message. Only markdown-it's output is parsed as markup, and markdown-it is configured to escape HTML. */
export function drawBody(message: Message, reader: Reader): HTMLElement[] {
  return messageContent(message).map((content) => drawContent(content, reader));
}

function drawContent(content: Content, reader: Reader): HTMLElement {
  switch (content.kind) {
    case "markdown": {
      const body = h("div", { class: "text markdown" });
      body.innerHTML = renderMarkdown(content.text, reader.names);
      return body;
    }
    case "mrkdwn":
      return h("div", { class: "text" }, ...drawNodes(parseMrkdwn(content.text), reader));
    case "plain":
      return h("div", { class: "text" }, content.text);
    case "heading":
      return h("div", { class: "text heading" }, content.text);
    case "divider":
      return h("hr");
    case "task":
      return drawTask(content.task);
    case "plan":
      return drawPlan(content);
    case "buttons": {
      const labels = content.labels.map((label) => h("span", {}, label));
      return h("div", { class: "inert-buttons", title: "These buttons do nothing here" }, ...labels);
    }
    case "context":
    default: {
      const pieces = content.texts.map((text) => h("span", {}, ...drawNodes(parseMrkdwn(text), reader)));
      return h("div", { class: "text context" }, ...pieces);
    }
  }
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
