import { type Block, listOf, stringOf } from "./block-element.ts";

/** Returns a `rich_text` block, or a part of one, as mrkdwn. An unknown element is named. */
export function richTextMrkdwn(block: Block): string {
  const elements = listOf(block["elements"]);
  const inline = (): string => elements.map(inlineMrkdwn).join("");
  switch (block["type"]) {
    case "rich_text":
      return elements.map(richTextMrkdwn).join("\n");
    case "rich_text_section":
      return inline();
    case "rich_text_quote":
      return inline().replaceAll(/^/gm, "&gt; ");
    case "rich_text_preformatted":
      return `\`\`\`${inline()}\`\`\``;
    case "rich_text_list": {
      const { style, indent = 0, offset = 0 } = block as { style?: unknown; indent?: number; offset?: number };
      const mark = (at: number): string => (style === "ordered" ? `${offset + at + 1}.` : "•");
      return elements.map((item, at) => `${"    ".repeat(indent)}${mark(at)} ${richTextMrkdwn(item)}`).join("\n");
    }
    default:
      return inlineMrkdwn(block);
  }
}

function inlineMrkdwn(element: Block): string {
  const { type, text, url, name, range, value, fallback, style } = element as Record<string, string | undefined>;
  const id = stringOf(element[`${type}_id`]);
  switch (type) {
    case "text":
      return withStyle(escaped(text), (style ?? {}) as Block);
    case "link":
      return `<${escaped(url)}${text ? `|${escaped(text)}` : ""}>`;
    case "user":
      return `<@${id}>`;
    case "channel":
      return `<#${id}>`;
    case "usergroup":
      return `<!subteam^${id}>`;
    case "broadcast":
      return `<!${range}>`;
    case "emoji":
      return `:${name}:`;
    case undefined:
    default:
      return escaped(fallback ?? value ?? `(${type})`);
  }
}

const escaped = (text = ""): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Puts marks around a text; spaces at its ends stay outside, where mrkdwn needs them. */
function withStyle(text: string, style: Block): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
  const marks = [style["code"] && "`", style["bold"] && "*", style["italic"] && "_", style["strike"] && "~"];
  const all = inner === "" ? "" : marks.filter(Boolean).join("");
  return before + all + inner + [...all].toReversed().join("") + after;
}
