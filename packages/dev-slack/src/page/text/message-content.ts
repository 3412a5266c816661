import type { Message } from "../../control/protocol.ts";

/** One piece of a message in the language that the app wrote it in. */
export type Content =
  | { kind: "mrkdwn" | "markdown" | "plain" | "heading"; text: string }
  | { kind: "context"; texts: string[] }
  | { kind: "divider" };

interface Block {
  type?: unknown;
  text?: unknown;
  elements?: unknown;
}

/**
 * What to draw for a message: its blocks when the page knows all of them, else its Markdown, else its mrkdwn text.
 * As in Slack, `text` is then only the fall-back of a message with blocks.
 */
export function messageContent(message: Message): Content[] {
  const blocks = (message.blocks ?? []).map((block) => blockContent((block ?? {}) as Block));
  if (blocks.length > 0 && blocks.every((content) => content !== undefined)) return blocks;
  if (message.markdown_text !== undefined) return [{ kind: "markdown", text: message.markdown_text }];
  return message.text === "" ? [] : [{ kind: "mrkdwn", text: message.text }];
}

function blockContent(block: Block): Content | undefined {
  switch (block.type) {
    case "divider":
      return { kind: "divider" };
    case "markdown":
      return typeof block.text === "string" ? { kind: "markdown", text: block.text } : undefined;
    case "header":
      return { kind: "heading", text: textOf(block.text).text };
    case "section":
      return block.text === undefined ? undefined : textOf(block.text);
    case "context":
      return {
        kind: "context",
        texts: (Array.isArray(block.elements) ? block.elements : []).map((e) => textOf(e).text),
      };
    default:
      return undefined;
  }
}

function textOf(object: unknown): { kind: "mrkdwn" | "plain"; text: string } {
  const { type, text } = (object ?? {}) as { type?: unknown; text?: unknown };
  return { kind: type === "mrkdwn" ? "mrkdwn" : "plain", text: typeof text === "string" ? text : "" };
}
