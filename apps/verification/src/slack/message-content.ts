import type { KnownBlock } from "@slack/web-api";

/** Slack's message metadata, which identifies the app's messages. https://docs.slack.dev/messaging/message-metadata */
export interface TaskMark {
  readonly request_id: string;
  readonly correlation_id: string;
  readonly state: "working" | "done" | "failed" | "stopped";
  /** From 1; with `parts`, if the answer has several messages. */
  readonly part?: number;
  readonly parts?: number;
  /** Number of input requests that the thread shows in further messages, if the task waits for people. */
  readonly inputs?: number;
  /** The person whose question the message shows, asked by a press. */
  readonly asker?: string;
  /** The agent that wrote this question, and its exact text; absent if the person wrote it. */
  readonly offered_by?: string;
  readonly prompt?: string;
}

/** What is below the text of a message. */
export interface BelowText {
  /** A small line, mrkdwn. */
  readonly footer?: string | undefined;
  /** Blocks with what people can press. */
  readonly controls?: readonly KnownBlock[] | undefined;
}

/**
 * Content of a message: Slack's own plain text, with blocks whose notification it is if there are any, or standard Markdown of at most 12,000
 * characters with what is below it.
 */
export type MessageContent =
  { readonly text: string; readonly blocks?: readonly KnownBlock[] } | ({ readonly markdown_text: string } & BelowText);

export type MarkedMessage = MessageContent & { readonly mark: TaskMark };

/** Removes Slack's escaping. */
export const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Maximum characters of a notification; all of them count towards the length of the message. */
const longestNotification = 300;

/** Replaces, in order: channels, Slack's other notation, links, fences with rules and the lines below a table's header, marks of lines, marks within lines. */
const marksOfMarkdown: readonly [pattern: RegExp, shown: string][] = [
  [/<#\w+>/g, "a channel"],
  [/<[@!#][^<>|]*(?:\|([^<>]*))?>/g, "$1"],
  [/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1"],
  [/^[ \t]*(?:[`~]{3,}.*|[ \t:|_*=-]+)$/gm, " "],
  [/^[ \t>]*(?:(?:#{1,6}|[-*+])[ \t]+)?/gm, ""],
  [/[*`]|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\\(?=[!-/:-@[-`{-~])/gu, ""],
  [/[\s|]+/g, " "],
];

/** Returns the beginning of a Markdown text as notifications and screen readers have it: plain, and without mentions. */
export function notificationOf(markdown: string): string {
  const beginning = markdown.slice(0, 4 * longestNotification).toWellFormed();
  const plain = marksOfMarkdown.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), beginning).trim();
  const characters = Array.from(plain);
  const cut = characters.length > longestNotification ? `${characters.slice(0, longestNotification).join("")}…` : plain;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("@", "@\u200B");
}
