import type { ContextBlock, MarkdownBlock } from "@slack/web-api";
import { markType } from "./read-replies.ts";
import type { MarkedMessage, MessageContent } from "./slack-api.ts";

/** Angle brackets in Slack's text. https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages */
const bracketed = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * Converts Slack's notation to the text that the person typed: removes mentions of the bot, makes links and channels readable, and
 * unescapes `&amp;`, `&lt;` and `&gt;`. Mentions of other people stay as `<@U…>`.
 */
export function messageText(text: string, botUserId: string): string {
  return text
    .replace(new RegExp(`^\\s*<@${botUserId}(?:\\|[^<>]*)?>\\s*[,:]?`), "")
    .replaceAll(bracketed, (whole: string, ...groups: (string | undefined)[]) => {
      const [sign, target = "", label] = groups;
      if (sign === "@") return target === botUserId ? "" : whole;
      if (sign === "#") return `#${label || target}`;
      if (sign === "!") return label || `@${target.replace(/\^.*$/s, "")}`;
      return linkText(target, label);
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function linkText(target: string, label: string | undefined): string {
  if (!label) return target;
  if (!target.endsWith(label)) return `${label} (${target})`;
  return target.startsWith("mailto:") || target.startsWith("tel:") ? label : target;
}

/** Returns the people that a text mentions, in order. */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, user = ""]) => user);
}

/** The arguments for the content of a message. */
type Written =
  { text: string } | { markdown_text: string } | { text: string; blocks: (MarkdownBlock | ContextBlock)[] };

/** Maximum characters of an edited message's `text`. https://docs.slack.dev/reference/methods/chat.update */
const longestText = 4_000;

/**
 * Returns the arguments for a message. Slack marks an edited message as edited unless it has blocks, so edits use blocks where the whole
 * text also fits into `text`, from which later questions read the thread.
 */
export function contentOf(
  { mark, ...content }: MarkedMessage,
  { isEdit = false } = {},
): Written & { metadata: { event_type: string; event_payload: Record<string, string | number> } } {
  return { ...written(content, isEdit), metadata: { event_type: markType, event_payload: { ...mark } } };
}

function written(content: MessageContent, isEdit: boolean): Written {
  if ("text" in content) return content;
  const { markdown_text, footer } = content;
  const isShort = markdown_text !== "" && markdown_text.length <= longestText;
  if (footer === undefined && !(isEdit && isShort)) return { markdown_text };
  const body = markdown_text === "" ? [] : [{ type: "markdown" as const, text: markdown_text }];
  const text = markdown_text.slice(0, longestText).toWellFormed() || (footer ?? "");
  return { text, blocks: [...body, ...(footer === undefined ? [] : [footerBlock(footer)])] };
}

/** Returns a small gray line as a block. */
export function footerBlock(text: string): ContextBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text }] };
}
