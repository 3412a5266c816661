import type { ContextBlock, MarkdownBlock } from "@slack/web-api";
import { markType } from "./read-replies.ts";
import type { MarkedMessage } from "./slack-api.ts";

type Written =
  { text: string } | { markdown_text: string } | { text: string; blocks: (MarkdownBlock | ContextBlock)[] };

type Content = Written & { metadata: { event_type: string; event_payload: Record<string, string | number> } };

/** Maximum characters of an edited message's `text`. https://docs.slack.dev/reference/methods/chat.update */
const longestText = 4_000;

/**
 * Returns the arguments for a message. Slack marks an edited message as edited unless it has blocks, so edits use blocks where the whole
 * text also fits into `text`, from which later questions read the thread.
 */
export function contentOf({ mark, ...content }: MarkedMessage, { isEdit = false } = {}): Content {
  return { ...written(content, isEdit), metadata: { event_type: markType, event_payload: { ...mark } } };
}

function written(content: Omit<MarkedMessage, "mark">, isEdit: boolean): Written {
  if (!("markdown_text" in content)) return content as { text: string };
  const { markdown_text, footer } = content as { markdown_text: string; footer?: string };
  const isBlank = markdown_text.trim() === "";
  if (footer === undefined && (isBlank || !isEdit || markdown_text.length > longestText)) return { markdown_text };
  return {
    text: isBlank ? (footer ?? "") : markdown_text.slice(0, longestText).toWellFormed(),
    blocks: [
      ...(isBlank ? [] : [{ type: "markdown" as const, text: markdown_text }]),
      ...(footer === undefined ? [] : [footerBlock(footer)]),
    ],
  };
}

/** Returns a small gray line as a block. */
export function footerBlock(text: string): ContextBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text }] };
}
