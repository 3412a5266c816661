import type { OthersContent, UnreadableContent } from "@crosszone/contracts";
import { readFiles } from "../messages.ts";
import type { SlackFile } from "../slack-api.ts";
import { joined, readBlocks } from "./blocks.ts";
import {
  appMention,
  isObject,
  linkText,
  noteUnknown,
  objectsIn,
  type RawObject,
  type Reading,
  readMrkdwn,
  textIn,
  unescape,
} from "./mrkdwn.ts";

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

/** The blocks of an answer of the app itself; the others are its controls, footers and progress. */
const answerBlocks: ReadonlySet<unknown> = new Set(["markdown", "rich_text", "header", "table", "data_table"]);

/** Reads a message of an event, of `conversations.history` or of `conversations.replies`. Members of a wrong type count as missing. */
export function readMessage(raw: RawObject, botUserId: string): ReadMessage {
  const reading = newReading(botUserId);
  const found: Found = { botUserId, others: [], files: [...readFiles(raw["files"])] };
  const isOwn = raw["user"] === botUserId;
  const content = isOwn
    ? { text: raw["text"], blocks: objectsIn(raw, "blocks").filter(({ type }) => answerBlocks.has(type)) }
    : raw;
  const words = readContent(content, reading, found)
    .replace(new RegExp(`^\\s*${appMention}\\s*[,:]?`), "")
    .replaceAll(appMention, "")
    .trim();
  const profile = isObject(raw["bot_profile"]) ? raw["bot_profile"] : {};
  return {
    author: {
      user: textIn(raw, "user"),
      bot_id: textIn(raw, "bot_id"),
      app_id: textIn(raw, "app_id") ?? textIn(profile, "app_id"),
      name: textIn(raw, "username") ?? textIn(profile, "name"),
    },
    words,
    hasQuotes: reading.hasQuotes,
    mentions: reading.mentions,
    others: found.others,
    files: found.files,
    unreadable: reading.unreadable,
  };
}

const newReading = (botUserId: string, unreadable: UnreadableContent[] = []): Reading => ({
  botUserId,
  mentions: [],
  unreadable,
  hasQuotes: false,
  counts: true,
});

/** What a message contains of others. */
interface Found {
  readonly botUserId: string;
  readonly others: OthersContent[];
  readonly files: SlackFile[];
}

/** Returns the author's words. `text` repeats the blocks, for notifications, so that it is read only if they say nothing. */
function readContent(content: RawObject, reading: Reading, found: Found): string {
  const said = readBlocks(objectsIn(content, "blocks"), reading) || readMrkdwn(textIn(content, "text") ?? "", reading);
  return joined([said, ...readAttachments(objectsIn(content, "attachments"), reading, found)], "\n\n");
}

/**
 * Returns the words of attachments that the author wrote, such as a pasted table or an app's alert. A forwarded message and the preview of a
 * link are content of others. https://docs.slack.dev/reference/messaging/attachments
 */
function readAttachments(attachments: readonly RawObject[], reading: Reading, found: Found): string[] {
  return attachments.map((attachment) => {
    const url = textIn(attachment, "from_url") ?? textIn(attachment, "original_url");
    const isForwarded = attachment["is_share"] === true;
    const isMessage = isForwarded || attachment["is_msg_unfurl"] === true;
    if (isMessage || attachment["is_app_unfurl"] === true || url !== undefined) {
      // Slack previews a link to an answer of this app like any other.
      if (isForwarded || textIn(attachment, "author_id") !== found.botUserId)
        readOthers(attachment, { isForwarded, isMessage, url, unreadable: reading.unreadable }, found);
      return "";
    }
    const names = ["author_name", "author_subname"].map((name) => unescape(textIn(attachment, name) ?? ""));
    const words = joined([...names, attachmentWords(attachment, reading, found)], "\n\n");
    if (words === "") noteEmpty("An attachment", reading.unreadable);
    return words;
  });
}

interface OthersKind {
  readonly isForwarded: boolean;
  readonly isMessage: boolean;
  readonly url: string | undefined;
  readonly unreadable: UnreadableContent[];
}

/** Adds a forwarded message, or a preview, and what it contains of others in turn. */
function readOthers(
  attachment: RawObject,
  { isForwarded, isMessage, url, unreadable }: OthersKind,
  found: Found,
): void {
  const inner: Found = { botUserId: found.botUserId, others: [], files: [] };
  // Slack itself wrote the footer of a message.
  const text = attachmentWords(
    isMessage ? { ...attachment, footer: "" } : attachment,
    newReading("", unreadable),
    inner,
  );
  const names = ["author_name", "author_subname", "service_name"].map((name) => textIn(attachment, name));
  const author = unescape(joined(names, ", ")) || undefined;
  const ts = attachment["ts"];
  const isEmpty = text === "" && inner.others.length === 0 && inner.files.length === 0;
  if (isEmpty)
    noteEmpty(isForwarded ? `A forwarded message of ${author ?? "somebody"}` : `A preview of ${url}`, unreadable);
  if (text !== "" || (isForwarded && !isEmpty))
    found.others.push({
      kind: isForwarded ? "forwarded" : "preview",
      text,
      author,
      user: textIn(attachment, "author_id"),
      channel: isMessage ? channelOf(attachment) : undefined,
      ts: typeof ts === "string" || typeof ts === "number" ? String(ts) : undefined,
      url,
    });
  found.others.push(...inner.others);
  found.files.push(...inner.files.map((file) => ({ author, ...file, others: true })));
}

/** Returns the conversation of a forwarded message: its name if Slack says it, else its id in Slack's notation. */
function channelOf(attachment: RawObject): string | undefined {
  const name = textIn(attachment, "channel_name") ?? /#(\S+)/.exec(textIn(attachment, "footer") ?? "")?.[1];
  const id = textIn(attachment, "channel_id");
  return name === undefined ? id && `<#${id}>` : `#${name.replace(/^#/, "")}`;
}

const noWords = "[no preview available]";

/** Returns the words of an attachment itself. `fallback` repeats them for notifications. */
function attachmentWords(attachment: RawObject, reading: Reading, found: Found): string {
  const mrkdwn = (raw: RawObject, name: string): string =>
    readMrkdwn(textIn(raw, name) ?? "", reading, { styled: true });
  const messages = objectsIn(attachment, "message_blocks")
    .map(({ message }) => message)
    .filter(isObject);
  const holders = [...messages, attachment];
  const forwarded = messages.flatMap((message) => objectsIn(message, "blocks"));
  const said =
    readBlocks(forwarded.length > 0 ? forwarded : objectsIn(attachment, "blocks"), reading) ||
    mrkdwn(attachment, "text");
  const title = linkText(textIn(attachment, "title_link") ?? "", mrkdwn(attachment, "title")).replace(/ \(\)$/, "");
  const fields = objectsIn(attachment, "fields").map((field) =>
    joined([mrkdwn(field, "title"), mrkdwn(field, "value")], ": "),
  );
  if ("list_record" in attachment || "list" in attachment) noteUnknown(reading, "list item");
  found.files.push(...holders.flatMap((holder) => readFiles(holder["files"])));
  const nested = readAttachments(
    holders.flatMap((holder) => objectsIn(holder, "attachments")),
    reading,
    found,
  );
  const words = [mrkdwn(attachment, "pretext"), title, said, joined(fields, "\n"), mrkdwn(attachment, "footer")];
  const fallback = textIn(attachment, "fallback") === noWords ? "" : mrkdwn(attachment, "fallback");
  return joined([...words, ...nested], "\n\n") || fallback;
}

function noteEmpty(what: string, unreadable: UnreadableContent[]): void {
  unreadable.push({ what, why: "Slack does not pass on its text." });
}
