import { notificationOf } from "../../slack/message-content.ts";
import type { BelowText, MarkedMessage, TaskMark } from "../../slack/slack-api.ts";
import { verbatimText } from "../markdown/neutralise.ts";

/** Maximum bytes of an edited message's `text`. https://docs.slack.dev/reference/methods/chat.update */
const longestText = 3_900;

export type MarkdownMessage = BelowText & { readonly markdown_text: string; readonly mark: TaskMark };

/** Returns a message with the same text, in which nothing is Markdown, a mention or a block that Slack could refuse. */
export function plainForm({ markdown_text, footer, mark }: MarkdownMessage): MarkedMessage {
  const text = [verbatimText(markdown_text), ...(footer === undefined ? [] : [footer])].join("\n\n");
  if (Buffer.byteLength(text) <= longestText) return { text, mark };
  const section = { type: "rich_text_section" as const, elements: [{ type: "text" as const, text: markdown_text }] };
  return { text: notificationOf(markdown_text), blocks: [{ type: "rich_text", elements: [section] }], mark };
}
