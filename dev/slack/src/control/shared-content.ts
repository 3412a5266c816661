import type { KnownBlock, MessageAttachment, TableBlock } from "@slack/types";
import { ControlError, type MessagePlace } from "../protocol/control-api.ts";
import type { Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** A message inside another one. Slack's types lack these members; see `Attachment` in the response types of `@slack/web-api`. */
interface SharedMessage extends MessageAttachment {
  ts: string;
  channel_id: string;
  channel_name: string;
  channel_team: string;
  author_id: string;
  from_url: string;
  is_msg_unfurl: true;
  /** A person forwarded it. Without it, the message is the preview of a link. */
  is_share?: true;
  original_url?: string;
  is_reply_unfurl?: true;
  is_thread_root_unfurl?: true;
  message_blocks: { team: string; channel: string; ts: string; message: { blocks?: unknown; attachments?: unknown } }[];
  files?: unknown;
}

/**
 * Returns the message as Slack attaches it to another one: forwarded, or as the preview of a pasted link. The observed shapes are in
 * https://github.com/ColeMurray/background-agents/pull/1143 and https://github.com/slackapi/java-slack-sdk/issues/1179.
 */
export function sharedMessage(message: Message, how: "forwarded" | "linked", state: WorkspaceState): SharedMessage {
  const { channel: channel_id, ts, thread_ts, text, user } = message;
  const { directory, url } = state;
  const team = directory.workspace.team.id;
  const { kind, name = "" } = directory.channel(channel_id) ?? {};
  const isDirect = kind === "im" || kind === "mpim";
  const author_name = message.app_name ?? directory.user(user)?.real_name ?? user;
  const shape = toApiMessage(message, state);
  const from_url = permalink(message, url);
  const isReply = thread_ts !== undefined && thread_ts !== ts;
  const blocks = { ...(shape["blocks"] !== undefined && { blocks: shape["blocks"] }) };
  const nested = message.attachments && { attachments: message.attachments };
  return {
    ts,
    channel_id,
    channel_name: isDirect ? "Direct Message" : name,
    channel_team: team,
    is_msg_unfurl: true,
    ...(how === "forwarded" ? { is_share: true } : { original_url: from_url }),
    ...(isReply && { is_reply_unfurl: true }),
    ...(shape["reply_count"] !== undefined && { is_thread_root_unfurl: true }),
    author_id: user,
    author_name,
    author_link: `${url}/team/${user}`,
    from_url,
    footer: isDirect ? "Direct message" : `${isReply ? "Thread" : "Posted"} in #${name}`,
    text,
    fallback: `[${new Date(Number(ts) * 1000).toDateString()}] ${author_name}: ${text || "[no preview available]"}`,
    message_blocks: [{ team, channel: channel_id, ts, message: { ...blocks, ...nested } }],
    mrkdwn_in: ["text"],
    ...(shape["files"] !== undefined && { files: shape["files"] }),
  };
}

const permalink = ({ channel, ts, thread_ts }: Message, url: string): string =>
  `${url}/archives/${channel}/p${ts.replace(".", "")}${thread_ts ? `?thread_ts=${thread_ts}&cid=${channel}` : ""}`;

/** Returns the messages that a text links to and the person can read, each once. */
export function linkedMessages(text: string, user: string, state: WorkspaceState): Message[] {
  const links = text.matchAll(/<https?:\/\/[^\s<>|]+\/archives\/([CDG][A-Z0-9]+)\/p(\d{10})(\d{6})/g);
  const found = [...links].flatMap(([, channel = "", seconds, rest]) => {
    if (!mayRead({ channel, user }, state)) return [];
    return state.messages.find(channel, `${seconds}.${rest}`, user) ?? [];
  });
  return [...new Set(found)];
}

/** Returns the message that a person wants to forward. Throws a `ControlError` if the person cannot read it. */
export function messageToForward({ channel, ts }: MessagePlace, user: string, state: WorkspaceState): Message {
  const id = state.directory.channelByName(channel)?.id ?? channel;
  const message = mayRead({ channel: id, user }, state) ? state.messages.find(id, ts, user) : undefined;
  if (!message || message.ephemeral_for !== undefined || message.subtype === "tombstone")
    throw new ControlError(`forward: message ${ts} not found in ${channel}`, 404);
  return message;
}

function mayRead({ channel, user }: { channel: string; user: string }, { directory }: WorkspaceState): boolean {
  const found = directory.channel(channel);
  return found?.kind === "channel" || found?.members.includes(user) === true;
}

/** Returns a pasted table as its block. Slack refuses empty cells. */
export function tableBlock(rows: readonly (readonly string[])[], at: number): TableBlock {
  const cells = rows.map((row) => row.map((text) => ({ type: "raw_text" as const, text: text || " " })));
  return { type: "table", block_id: `table${at}`, rows: cells };
}

/** Returns pasted tables in an attachment, where a person's table usually arrives: https://github.com/stablyai/agent-slack/issues/136 */
export function tableAttachment(tables: readonly TableBlock[]): MessageAttachment {
  return { fallback: "[no preview available]", blocks: [...tables] as KnownBlock[] };
}
