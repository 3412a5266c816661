import type { Message, MessageStream } from "../protocol/workspace.ts";
import { toSharedFile } from "./file-shape.ts";
import { richTextBlock } from "./slack-text.ts";
import type { WorkspaceState } from "./workspace-state.ts";

/**
 * Returns the message in the format of events and the Web API, without `channel`, which each of them places differently. A thread's root
 * includes its number of replies. See https://docs.slack.dev/reference/events/message
 */
export function toApiMessage(message: Message, state: WorkspaceState): Record<string, unknown> {
  if (message.subtype === "bot_message") return botMessage(message, state);
  const author = state.directory.user(message.user);
  const { id: own } = state.directory.workspace.team;
  const team = author ? state.directory.teamOf(author) : own;
  return {
    user: message.user,
    type: "message",
    ...(message.subtype === "tombstone" && { subtype: "tombstone", hidden: true }),
    ts: message.ts,
    ...(message.client_msg_id !== undefined && { client_msg_id: message.client_msg_id }),
    ...(message.bot_id !== undefined && { bot_id: message.bot_id, bot_profile: botProfile(message, state) }),
    ...(message.app_id !== undefined && { app_id: message.app_id }),
    text: message.text,
    team,
    ...(team !== own && { user_team: team, source_team: team }),
    ...blocksOf(message),
    ...(message.attachments && { attachments: message.attachments }),
    ...(message.files && { files: apiFiles(message, state), upload: false }),
    ...(message.stream && { streaming_state: STREAMING_STATES[message.stream.state] }),
    ...(message.edited && { edited: message.edited }),
    ...(message.reactions && { reactions: message.reactions }),
    ...threadMembers(message, state),
  };
}

/** Returns a message of a webhook, which has no user. See https://docs.slack.dev/reference/events/message/bot_message */
function botMessage(message: Message, state: WorkspaceState): Record<string, unknown> {
  const { ts, text, bot_id, app_name: username, attachments, reactions } = message;
  return {
    type: "message",
    subtype: "bot_message",
    ts,
    text,
    bot_id,
    username,
    ...blocksOf(message),
    ...(attachments && { attachments }),
    ...(reactions && { reactions }),
    ...threadMembers(message, state),
  };
}

/** The name of each stream state in the Web API and in events. */
const STREAMING_STATES: Record<MessageStream["state"], string> = {
  in_progress: "in_progress",
  completed: "completed",
  stopped: "completed",
  expired: "errored",
};

function blocksOf({ blocks, text, ts, subtype }: Message): Record<string, unknown> {
  if (blocks) return { blocks };
  return text === "" || subtype === "tombstone" ? {} : { blocks: [richTextBlock(text, `b${ts.slice(-6)}`)] };
}

function apiFiles(message: Message, state: WorkspaceState): Record<string, unknown>[] {
  return (message.files ?? []).flatMap(({ id }) => {
    const file = state.files.find(id);
    return file ? [toSharedFile(file, state)] : [];
  });
}

function threadMembers({ channel, ts, thread_ts }: Message, state: WorkspaceState): Record<string, unknown> {
  if (thread_ts !== undefined) {
    const parent = state.messages.find(channel, thread_ts);
    return { thread_ts, ...(parent && { parent_user_id: parent.user }) };
  }
  const replies = state.messages.thread(channel, ts).slice(1);
  if (replies.length === 0) return {};
  const users = [...new Set(replies.map((reply) => reply.user))];
  return {
    thread_ts: ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: replies.at(-1)?.ts,
    reply_users: users,
    is_locked: false,
    subscribed: false,
  };
}

function botProfile({ bot_id, app_id, app_name, user }: Message, state: WorkspaceState): Record<string, unknown> {
  const { team, app } = state.directory.workspace;
  return {
    id: bot_id,
    deleted: false,
    name: bot_id === app.bot_id ? app.name : (app_name ?? state.directory.user(user)?.real_name ?? "bot"),
    updated: 0,
    app_id,
    user_id: user,
    icons: {},
    team_id: team.id,
  };
}
