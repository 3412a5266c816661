import type { MessageAttachment, TableBlock } from "@slack/types";
import type { MessagePlace } from "../protocol/control-api.ts";
import type { Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Slack's types lack some members; see `Attachment` in the response types of `@slack/web-api`. */
type SharedMessage = MessageAttachment & Readonly<Record<string, unknown>>;

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
  const isReply = thread_ts !== undefined && thread_ts !== ts;
  const place = isReply ? `?thread_ts=${thread_ts}&cid=${channel_id}` : "";
  const from_url = `${url}/archives/${channel_id}/p${ts.replace(".", "")}${place}`;
  const { blocks, attachments, files } = shape;
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
    message_blocks: [{ team, channel: channel_id, ts, message: { blocks, attachments } }],
    mrkdwn_in: ["text"],
    files,
  };
}

/** Returns the messages that a text links to and the person can read, each once. */
export function linkedMessages(text: string, user: string, state: WorkspaceState): Message[] {
  const links = text.matchAll(/<https?:\/\/[^\s<>|]+\/archives\/([CDG][A-Z0-9]+)\/p(\d{10})(\d{6})/g);
  const found = [...links].flatMap(
    ([, channel = "", seconds, rest]) => readable({ channel, ts: `${seconds}.${rest}` }, user, state) ?? [],
  );
  return [...new Set(found)];
}

/** Returns a message of the channel with this id or name; undefined if the person cannot read it. */
export function readable({ channel, ts }: MessagePlace, user: string, state: WorkspaceState): Message | undefined {
  const { id = "", kind, members } = state.directory.channelByName(channel) ?? {};
  const message = kind === "channel" || members?.includes(user) ? state.messages.find(id, ts) : undefined;
  return message?.subtype === "tombstone" ? undefined : message;
}

/** Returns a pasted table as its block. Slack refuses empty cells. */
export function tableBlock(rows: readonly (readonly string[])[], at: number): TableBlock {
  const cells = rows.map((row) => row.map((text) => ({ type: "raw_text" as const, text: text || " " })));
  return { type: "table", block_id: `table${at}`, rows: cells };
}
