import type { OthersContent, UnreadableContent } from "@crosszone/contracts";
import { isObject, type JsonObject } from "@crosszone/service-kit/json";
import { readFiles } from "../files/read-file.ts";
import { unescape } from "../notation.ts";
import type { SlackFile, SlackIdentity } from "../slack-api.ts";
import { readBlocks } from "./blocks.ts";
import {
  appMention,
  joined,
  linkText,
  note,
  noteUnknown,
  objectsOf,
  type MessageReading,
  readMrkdwn,
  plainTextOf,
} from "./mrkdwn.ts";

/** Whether the app wrote a message. */
export const isOwnMessage = (
  { user, bot_id }: Pick<ReadMessage["author"], "user" | "bot_id">,
  identity: SlackIdentity,
): boolean => user === identity.bot_user_id || bot_id === identity.bot_id;

/**
 * What a Slack message says, read from its `text`, `blocks`, `attachments` and `files`, for an event and for history alike. People, channels
 * and groups stay in Slack's notation (`<@U…>`), because their names need lookups: `withNames` adds them.
 */
export interface ReadMessage {
  readonly author: {
    readonly user?: string | undefined;
    readonly bot_id?: string | undefined;
    readonly app_id?: string | undefined;
    /** The name that an app gave itself. */
    readonly name?: string | undefined;
  };
  /**
   * The author's own words as Markdown, with pasted tables. Quotations stay where they are, as block quotes. A mention of the app at the start or the
   * end is left out. Empty if nothing can be seen.
   */
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

/** The blocks of an answer of the app itself; the others are its controls, footers and progress. */
const answerBlocks: ReadonlySet<unknown> = new Set(["markdown", "rich_text", "header", "table", "data_table"]);

/** Matches a text in which nothing can be seen. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;

/** Reads a message of an event, of `conversations.history` or of `conversations.replies`. Members of a wrong type count as missing. */
export function readMessage(raw: JsonObject, botUserId: string): ReadMessage {
  const reading = newReading(botUserId, true);
  reading.files.push(...readFiles(raw["files"]));
  const { user } = raw;
  const said = withoutAddress(readContent(user === botUserId ? ownContent(raw) : raw, reading));
  const words = invisible.test(said) ? "" : said.replaceAll(appMention, `<@${botUserId}>`);
  const profile = isObject(raw["bot_profile"]) ? raw["bot_profile"] : {};
  const author = {
    user: plainTextOf(user) || undefined,
    bot_id: plainTextOf(raw["bot_id"]) || undefined,
    app_id: plainTextOf(raw["app_id"]) || plainTextOf(profile["app_id"]) || undefined,
    name: plainTextOf(raw["username"]) || plainTextOf(profile["name"]) || undefined,
  };
  const { mentions, hasQuotes, others, files, unreadable } = reading;
  return { author, words, hasQuotes, mentions, others, files, unreadable };
}

/** Returns a text without mentions of the app at its start and its end, which address it. Within a sentence, a mention is its name. */
function withoutAddress(said: string): string {
  let words = said.trim();
  while (words.startsWith(appMention))
    words = words.slice(appMention.length).trimStart().replace(/^[,:]/, "").trimStart();
  while (words.endsWith(appMention)) words = words.slice(0, -appMention.length).trimEnd().replace(/,$/, "").trimEnd();
  return words;
}

/** Of a text, Slack makes a `rich_text` block; of an answer, `text` can be only the beginning. */
function ownContent({ text, blocks }: JsonObject): JsonObject {
  const answer = objectsOf(blocks).filter(({ type }) => answerBlocks.has(type));
  const isDerived = answer.every(({ type }) => type === "rich_text");
  const said = readBlocks(answer, newReading("", false));
  return isDerived && said.length <= plainTextOf(text).length ? { text } : { text, blocks: answer };
}

function newReading(botUserId: string, counts: boolean): MessageReading {
  return { botUserId, mentions: [], others: [], files: [], unreadable: [], hasQuotes: false, counts };
}

/** Returns the author's words. `text` repeats the blocks, for notifications, so that it is read only if they say nothing. */
function readContent({ blocks, text, attachments }: JsonObject, reading: MessageReading): string {
  const said = readBlocks(blocks, reading) || readMrkdwn(plainTextOf(text), reading);
  return joined([said, ...readAttachments(attachments, reading)], "\n\n");
}

/**
 * Returns the words of attachments that the author wrote, such as a pasted table or an app's alert. A forwarded message and the preview of a
 * link are content of others. https://docs.slack.dev/reference/messaging/attachments
 */
function readAttachments(attachments: unknown, reading: MessageReading): string[] {
  return objectsOf(attachments).map((attachment) => {
    const { is_share, is_msg_unfurl, is_app_unfurl, author_id, author_name, author_subname } = attachment;
    if (is_share === true || is_msg_unfurl === true || is_app_unfurl === true || addressOf(attachment) !== "") {
      // Slack previews a link to an answer of this app like any other.
      if (is_share === true || author_id !== reading.botUserId) readOthers(attachment, reading);
      return "";
    }
    const names = [plainTextOf(author_name), plainTextOf(author_subname)].map(unescape);
    const words = joined([...names, attachmentWords(attachment, reading)], "\n\n");
    if (words === "") note(reading, "An attachment", noText);
    return words;
  });
}

const noText = "Slack does not pass on its text.";

const addressOf = ({ from_url, original_url, app_unfurl_url }: JsonObject): string =>
  plainTextOf(from_url) || plainTextOf(original_url) || plainTextOf(app_unfurl_url);

/** Reads a forwarded message, or a preview, and what it contains of others in turn. */
function readOthers(attachment: JsonObject, reading: MessageReading): void {
  const { is_share, is_msg_unfurl, author_name, author_subname, service_name, author_id, ts } = attachment;
  const isForwarded = is_share === true;
  const isMessage = isForwarded || is_msg_unfurl === true;
  const inner = { ...newReading(reading.botUserId, false), unreadable: reading.unreadable };
  // Slack itself wrote the footer of a message.
  const text = attachmentWords(isMessage ? { ...attachment, footer: "" } : attachment, inner);
  const author = unescape(joined([author_name, author_subname, service_name].map(plainTextOf), ", ")) || undefined;
  const url = addressOf(attachment) || undefined;
  const { others, files } = inner;
  const hasMore = others.length > 0 || files.length > 0;
  if (text !== "" || (isForwarded && hasMore))
    reading.others.push({
      kind: isForwarded ? "forwarded" : "preview",
      text,
      author,
      user: plainTextOf(author_id) || undefined,
      channel: isMessage ? channelOf(attachment) : undefined,
      ts: plainTextOf(ts) || undefined,
      url,
    });
  else if (!hasMore)
    note(reading, isForwarded ? `A forwarded message of ${author ?? "somebody"}` : `A preview of ${url}`, noText);
  reading.others.push(...others);
  reading.files.push(...files.map((file) => ({ author, ...file, others: true })));
}

/** Returns the conversation of a forwarded message: its name if Slack says it, else its id in Slack's notation. */
function channelOf({ channel_name, channel_id, footer }: JsonObject): string | undefined {
  const name = plainTextOf(channel_name) || /#\S+/.exec(plainTextOf(footer))?.[0];
  const id = plainTextOf(channel_id);
  if (name !== undefined) return `#${name.replace(/^#/, "")}`;
  return id === "" ? undefined : `<#${id}>`;
}

/** Returns the words of an attachment itself. `fallback` repeats them for notifications. */
function attachmentWords(attachment: JsonObject, reading: MessageReading): string {
  const { pretext, title, title_link, text, fields, actions, footer, fallback } = attachment;
  const mrkdwn = (value: unknown): string => readMrkdwn(plainTextOf(value), reading);
  const messages = objectsOf(attachment["message_blocks"])
    .map(({ message }) => message)
    .filter(isObject);
  const forwarded = messages.flatMap((message) => objectsOf(message["blocks"]));
  if ("list_record" in attachment || "list" in attachment) noteUnknown(reading, "list item");
  const nested = [attachment, ...messages].flatMap((holder) => {
    reading.files.push(...readFiles(holder["files"]));
    return readAttachments(holder["attachments"], reading);
  });
  const lines = [
    ...objectsOf(fields).map((field) => joined([mrkdwn(field["title"]), mrkdwn(field["value"])], ": ")),
    ...objectsOf(actions).map((action) => `[${linkText(plainTextOf(action["url"]), mrkdwn(action["text"]))}]`),
  ];
  const said = readBlocks(forwarded.length > 0 ? forwarded : attachment["blocks"], reading) || mrkdwn(text);
  const heading = linkText(plainTextOf(title_link), mrkdwn(title));
  const words = [mrkdwn(pretext), heading, said, lines.join("\n"), mrkdwn(footer), ...nested];
  return joined(words, "\n\n") || mrkdwn(fallback === "[no preview available]" ? "" : fallback);
}
