import type { Message } from "../../protocol/workspace.ts";
import { attachmentContents } from "./attachment-content.ts";
import { blockContent } from "./block-content.ts";
import type { Block } from "./block-element.ts";
import { type Content, hasControls } from "./content.ts";

/** Returns what to draw for a message: its own content, then its attachments, such as a forwarded message. */
export function messageContent(message: Message): Content[] {
  return [...ownContent(message), ...(message.attachments ?? []).flatMap(attachmentContents)];
}

/**
 * Returns what to draw for a message without its attachments: its blocks if the page supports all of them, else its Markdown or its mrkdwn text, and those blocks
 * that a person can use. As in Slack, `text` is only the fallback of a message with blocks.
 */
function ownContent(message: Message): Content[] {
  const isEnded = message.stream === undefined || message.stream.state === "completed";
  const blocks = (message.blocks ?? []).map((block) => blockContent((block ?? {}) as Block, isEnded));
  const known = blocks.filter((content) => content !== undefined);
  if (known.length > 0 && known.length === blocks.length) return known;
  return [...textContent(message), ...known.filter(hasControls)];
}

function textContent({ markdown_text, text }: Message): Content[] {
  if (markdown_text !== undefined) return [{ kind: "markdown", text: markdown_text }];
  return text === "" ? [] : [{ kind: "mrkdwn", text }];
}
