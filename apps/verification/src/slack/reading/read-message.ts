import type { OthersContent, UnreadableContent } from "@crosszone/contracts";
import type { SlackFile } from "../slack-api.ts";
import { mentionedUsers, messageText, readFiles } from "../messages.ts";

/**
 * What a Slack message says, read from its `text`, `blocks`, `attachments` and `files`, for an event and for history alike. People, channels
 * and groups stay in Slack's notation (`<@U…>`), because their names need lookups: `withNames` adds them.
 */
export interface ReadMessage {
  readonly author: MessageAuthor;
  /** The author's own words as Markdown, with pasted tables. Quotations stay where they are, as block quotes. Without mentions of the app. */
  readonly words: string;
  /** True if `words` quotes others. */
  readonly hasQuotes: boolean;
  /** User ids that the message mentions outside quotations and code, in order. */
  readonly mentions: readonly string[];
  /** Forwarded messages and previews: content of others. */
  readonly others: readonly OthersContent[];
  /** The message's files, then those of forwarded messages. */
  readonly files: readonly SlackFile[];
  /** What could not be read. */
  readonly unreadable: readonly UnreadableContent[];
}

export interface MessageAuthor {
  readonly user?: string | undefined;
  readonly bot_id?: string | undefined;
  readonly app_id?: string | undefined;
  /** The name that an app gave itself. */
  readonly name?: string | undefined;
}

/** Reads a message of an event, of `conversations.history` or of `conversations.replies`. Members of a wrong type count as missing. */
export function readMessage(raw: Readonly<Record<string, unknown>>, botUserId: string): ReadMessage {
  const text = typeof raw["text"] === "string" ? raw["text"] : "";
  const optional = (name: string): string | undefined =>
    typeof raw[name] === "string" ? (raw[name] as string) : undefined;
  return {
    author: {
      user: optional("user"),
      bot_id: optional("bot_id"),
      app_id: optional("app_id"),
      name: optional("username"),
    },
    words: messageText(text, botUserId),
    hasQuotes: false,
    mentions: mentionedUsers(text),
    others: [],
    files: readFiles(raw["files"]),
    unreadable: [],
  };
}
