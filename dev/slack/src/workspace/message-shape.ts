import type { Message, MessageStream } from "../protocol/workspace.ts";
import { toSharedFile } from "./file-shape.ts";
import { richTextBlock } from "./slack-text.ts";
import type { WorkspaceState } from "./workspace-state.ts";

/**
 * Returns the message in the format of events and the Web API, without `channel`, which each of them places differently. A thread's root
 * includes its number of replies. See https://docs.slack.dev/reference/events/message
 */
export function toApiMessage(message: Message, state: WorkspaceState): Record<string, unknown> {
  return {
    type: "message",
    ts: message.ts,
    text: message.text,
    ...authorMembers(message, state),
    ...blocksOf(message),
    ...(message.attachments && { attachments: message.attachments }),
    ...(message.files && { files: apiFiles(message, state), upload: false }),
    ...(message.stream && { streaming_state: STREAMING_STATES[message.stream.state] }),
    ...(message.edited && { edited: message.edited }),
    ...(message.reactions?.length && { reactions: message.reactions }),
    ...threadMembers(message, state),
  };
}

/**
 * A webhook's message has no user. Slack names the author's workspace twice more where another organization reads along. See
 * https://docs.slack.dev/reference/events/message/bot_message
 */
function authorMembers(message: Message, state: WorkspaceState): Record<string, unknown> {
  const { user, client_msg_id, subtype, bot_id, app_id, app_name: username, channel } = message;
  if (subtype === "bot_message") return { subtype, bot_id, username };
  const author = state.directory.user(user);
  const { id: own } = state.directory.workspace.team;
  const team = author ? state.directory.teamOf(author) : own;
  return {
    user,
    team,
    ...((team !== own || state.directory.channel(channel)?.is_ext_shared === true) && {
      user_team: team,
      source_team: team,
    }),
    ...(subtype !== undefined && { subtype }),
    ...(subtype === "tombstone" && { hidden: true }),
    ...(client_msg_id !== undefined && { client_msg_id }),
    ...(bot_id !== undefined && { bot_id, bot_profile: botProfile(message, state) }),
    ...(app_id !== undefined && { app_id }),
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
  const isBare = text === "" || subtype === "tombstone" || subtype === "me_message";
  return isBare ? {} : { blocks: [richTextBlock(text, `b${ts.slice(-6)}`)] };
}

function apiFiles(message: Message, state: WorkspaceState): Record<string, unknown>[] {
  return (message.files ?? []).flatMap(({ id }) => {
    const file = state.files.find(id);
    return file ? [toSharedFile(file, state)] : [];
  });
}

function threadMembers({ channel, ts, thread_ts, subtype }: Message, state: WorkspaceState): Record<string, unknown> {
  if (thread_ts !== undefined) {
    const parent = state.messages.find(channel, thread_ts);
    const root = subtype === "thread_broadcast" && parent ? { root: toApiMessage(parent, state) } : {};
    return { thread_ts, ...(parent && { parent_user_id: parent.user }), ...root };
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
