import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import { ControlError, type DeleteMessage, type MessagePlace, type PostMessage } from "../protocol/control-api.ts";
import type { Channel, Message, User } from "../protocol/workspace.ts";
import { toFileObject } from "../workspace/file-shape.ts";
import { textFromPerson } from "../workspace/slack-text.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";
import { storeFile } from "./posted-files.ts";
import { linkedMessages, readable, sharedMessage, tableBlock } from "./shared-content.ts";

export type MessageOperations = Pick<
  Control,
  "messages" | "postMessage" | "scheduleMessage" | "editMessage" | "deleteMessage" | "react"
>;

/** Finds the user and the conversation of a control API request. Each method throws a `ControlError`. */
export interface Places {
  user(idOrName: string): User;
  /** `dm` is the user's direct message with the app. */
  channel(idOrName: string, user?: User): Channel;
  /** Returns the author, and a conversation of which the author is a member; the first person by default. */
  writer(post: { channel: string; user?: string }): { user: User; channel: Channel };
}

/** What people and other apps do with messages. */
export function createMessageOperations(
  state: WorkspaceState,
  events: EventPublisher,
  places: Places,
): MessageOperations {
  const { app } = state.directory.workspace;

  const messageIn = ({ channel, ts }: MessagePlace): Message => messageOf(state, places.channel(channel).id, ts);
  function ownMessage({ user, ...place }: DeleteMessage): Message {
    const message = messageIn(place);
    if (message.user !== places.user(user).id) throw new ControlError("only the author can change a message", 403);
    return message;
  }

  const operations: MessageOperations = {
    messages: ({ channel, thread_ts }) => {
      const { id } = places.channel(channel);
      const all = state.messages.all(id);
      return thread_ts === undefined ? all : all.filter((one) => one.ts === thread_ts || one.thread_ts === thread_ts);
    },

    postMessage: (post) => {
      const isWebhook = post.app !== undefined && post.user === undefined;
      const { user, channel } = isWebhook
        ? { user: undefined, channel: places.channel(post.channel) }
        : places.writer(post);
      const root = post.thread_ts === undefined ? undefined : messageOf(state, channel.id, post.thread_ts);
      if (post.broadcast && !root) throw new ControlError("broadcast: only a reply is also sent to the channel");
      const author = authorOf(post.app, user);
      const content = contentOf(state, post, { author: author.user, isApp: author.bot_id !== undefined, channel });
      const message = events.post({
        channel: channel.id,
        ...(root && { thread_ts: root.thread_ts ?? root.ts }),
        ...author,
        ...(post.broadcast && { subtype: "thread_broadcast" }),
        ...content,
        ...(post.metadata && { metadata: post.metadata }),
      });
      const linked = linkedMessages(content.text, author.user, state);
      if (linked.length === 0) return message;
      const previews = linked.map((one) => sharedMessage(one, "linked", state));
      const shown = { ...message, attachments: numbered([...(message.attachments ?? []), ...previews]) };
      events.change(shown);
      return shown;
    },

    scheduleMessage: async ({ after_ms, ...post }) => {
      await wait(after_ms, undefined, { ref: false });
      return operations.postMessage(post);
    },

    editMessage: ({ text, ...place }) => {
      const { blocks: _blocks, ...message } = ownMessage(place);
      if (text.trim() === "") throw new ControlError("text: must not be empty");
      const edited = { user: message.user, ts: state.clock.ts() };
      const written = textFromPerson(text, app);
      const changed: Message = { ...message, text: written, edited };
      events.change(changed);
      return changed;
    },

    deleteMessage: (place) => events.remove(ownMessage(place)),

    react: ({ reaction, ...place }) => {
      const message = messageIn(place);
      if (message.subtype === "tombstone") throw new ControlError("this message was deleted", 404);
      return events.react({ message, user: places.user(place.user).id, reaction });
    },
  };
  return operations;
}

/** Returns who posts: a person, a bot, or another app in a person's name or by its webhook. */
function authorOf(
  app: string | undefined,
  user: User | undefined,
): Pick<Message, "user" | "bot_id" | "app_id" | "app_name" | "subtype" | "client_msg_id"> {
  const key = (app ?? "").toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  const bot_id = app === undefined ? user?.bot_id : `B0${key.slice(0, 9).padEnd(9, "0")}`;
  const app_id = bot_id && `A${bot_id.slice(1)}`;
  if (!user) return { user: bot_id ?? "", bot_id: bot_id ?? "", app_name: app ?? "", subtype: "bot_message" };
  if (bot_id === undefined || app_id === undefined) return { user: user.id, client_msg_id: randomUUID() };
  return { user: user.id, bot_id, app_id, ...(app !== undefined && { app_name: app }) };
}

/** Returns what a post says. Throws a `ControlError` if it says nothing, or a person posts an app's content. */
function contentOf(
  state: WorkspaceState,
  post: PostMessage,
  { author, isApp, channel }: { author: string; isApp: boolean; channel: Channel },
): Pick<Message, "text" | "files" | "blocks" | "attachments" | "subtype"> {
  if (!isApp && (post.blocks ?? post.attachments ?? post.metadata))
    throw new ControlError("blocks, attachments, metadata: only apps can post them");
  const stored = (post.files ?? []).map((file) => storeFile(state, file, { user: author, channel: channel.id }));
  const files = stored.map((file) => toFileObject(file, state));
  const tables = (post.tables ?? []).map(tableBlock);
  const forwarded = post.forward && readable(post.forward, author, state);
  if (post.forward && !forwarded) throw new ControlError(`forward: message ${post.forward.ts} not found`, 404);
  for (const { id } of forwarded?.files ?? []) {
    const file = state.files.find(id);
    if (file) state.files.share(file, channel.id);
  }
  const [, me] = (isApp ? undefined : /^\/me\s+(\S[^]*)$/.exec(post.text)) ?? [];
  const text = textFromPerson(me ?? post.text, state.directory.workspace.app);
  const { blocks = [] } = post;
  const attachments = numbered([
    ...(post.attachments ?? []),
    ...(tables.length > 0 ? [{ fallback: "[no preview available]", blocks: tables }] : []),
    ...(forwarded ? [sharedMessage(forwarded, "forwarded", state)] : []),
  ]);
  if (text.trim() === "" && files.length + blocks.length + attachments.length === 0)
    throw new ControlError("text: must not be empty without a file, a table or a forwarded message");
  const all = { files, blocks, attachments };
  const given = Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0));
  return { text, ...given, ...(me !== undefined && { subtype: "me_message" }) };
}

/** Numbers the attachments of a message, from 1. */
const numbered = (attachments: readonly unknown[]): unknown[] =>
  attachments.map((one, at) => ({ ...(one as object), id: at + 1 }));

/** Throws a `ControlError` if the channel has no such message. */
export function messageOf(state: WorkspaceState, channel: string, ts: string): Message {
  const message = state.messages.find(channel, ts);
  if (!message) throw new ControlError(`message ${ts} not found in this channel`, 404);
  return message;
}
