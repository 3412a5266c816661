import { richTextBlock } from "../../workspace/slack-text.ts";
import { type Child, h } from "../frame/element.ts";
import { type Block, listOf, stringOf } from "../text/block-element.ts";
import type { Reader } from "../text/names.ts";
import { elementWords, safeHref } from "../text/rich-text.ts";

/** Draws Slack's mrkdwn. */
export const drawMrkdwn = (text: string, reader: Reader): Child[] => drawRichText(richTextBlock(text, ""), reader);

/** Draws a `rich_text` block, or one of its lists or quotes. */
export function drawRichText(block: object, reader: Reader): Child[] {
  return listOf((block as Block)["elements"]).flatMap((part): Child[] => {
    const { type, style } = part;
    const { indent = 0, offset = 0 } = part as { indent?: number; offset?: number };
    const items = listOf(part["elements"]);
    const inline = (elements: readonly Block[]): Child[] => elements.flatMap((one) => drawElement(one, reader));
    if (type === "rich_text_preformatted")
      return [h("pre", { tabindex: 0 }, h("code", {}, ...items.map((one) => elementWords(one, reader.names))))];
    if (type === "rich_text_quote") return [h("blockquote", {}, ...inline(items))];
    if (type !== "rich_text_list") return inline(items);
    const lines = items.map((item) => h("li", {}, ...inline(listOf(item["elements"]))));
    const list = style === "ordered" ? h("ol", { start: offset + 1 }, ...lines) : h("ul", {}, ...lines);
    list.style.marginLeft = `${indent * 24}px`;
    return [list];
  });
}

const styleTags = { code: "code", strike: "s", italic: "em", bold: "strong" } as const;

function drawElement(element: Block, reader: Reader): Child[] {
  const words = elementWords(element, reader.names);
  const style = (element["style"] ?? {}) as Block;
  const tags = Object.entries(styleTags).filter(([name]) => style[name] === true);
  const drawn = drawBare(element, words, reader);
  return tags.reduce((inside, [, tag]): Child[] => [h(tag, {}, ...inside)], drawn);
}

function drawBare(element: Block, words: string, reader: Reader): Child[] {
  switch (element["type"]) {
    case "user":
    case "usergroup":
    case "channel":
    case "broadcast": {
      const isLoud = element["type"] === "broadcast" || element["user_id"] === reader.user;
      return [h("span", { class: isLoud ? "mention broadcast" : "mention" }, words)];
    }
    case "link": {
      const href = safeHref(stringOf(element["url"]));
      const label = stringOf(element["text"]) || stringOf(element["url"]);
      return [
        href === undefined ? label : h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, label),
      ];
    }
    default:
      return words.split("\n").flatMap((line, at) => (at > 0 ? [h("br"), line] : [line]));
  }
}
