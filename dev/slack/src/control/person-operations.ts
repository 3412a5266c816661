import { randomUUID } from "node:crypto";
import { ControlError, type DeleteMessage, type PostedFile } from "../protocol/control-api.ts";
import type { Channel, FileObject, Message, User } from "../protocol/workspace.ts";
import { sessionStoppedEvent } from "../events/event-envelope.ts";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import { toFileObject } from "../workspace/file-shape.ts";
import { textFromPerson } from "../workspace/slack-text.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";
import type { Directory } from "../workspace/directory.ts";

type PersonOperations = Pick<Control, "messages" | "postMessage" | "editMessage" | "deleteMessage" | "stop" | "file">;

/** The actions of people in the workspace. */
export function createPersonOperations(state: WorkspaceState, events: EventPublisher): PersonOperations {
  const { directory } = state;
  const places = createPlaces(directory);
  return {
    ...messageOperations(state, events),

    stop: ({ channel, thread_ts, user }) => {
      const place = { channel: places.channel(channel).id, thread_ts, user: places.user(user).id };
      messageOf(state, place.channel, thread_ts);
      const streams = state.streams.stop(place.channel, thread_ts);
      events.send(sessionStoppedEvent({ ...place, streams }, state));
    },

    file: (id) => {
      const file = state.files.find(id);
      if (!file?.bytes) throw new ControlError("file not found", 404);
      return { name: file.name, mimetype: file.mimetype, bytes: file.bytes };
    },
  };
}

function messageOperations(
  state: WorkspaceState,
  events: EventPublisher,
): Pick<PersonOperations, "messages" | "postMessage" | "editMessage" | "deleteMessage"> {
  const { app } = state.directory.workspace;
  const places = createPlaces(state.directory);

  function ownMessage({ channel, ts, user }: DeleteMessage): Message {
    const message = messageOf(state, places.channel(channel).id, ts);
    if (message.user !== places.user(user).id) throw new ControlError("only the author can change a message", 403);
    return message;
  }

  return {
    messages: ({ channel, thread_ts }) => {
      const { id } = places.channel(channel);
      const all = state.messages.all(id);
      return thread_ts === undefined ? all : all.filter((one) => one.ts === thread_ts || one.thread_ts === thread_ts);
    },

    postMessage: (post) => {
      const { user, channel } = places.writer(post);
      const root = post.thread_ts === undefined ? undefined : messageOf(state, channel.id, post.thread_ts);
      if (post.text.trim() === "" && !post.files?.length)
        throw new ControlError("text: must not be empty without a file");
      const files = (post.files ?? []).map((file) => storeFile(state, file, { user, channel }));
      return events.post({
        channel: channel.id,
        ...(root && { thread_ts: root.thread_ts ?? root.ts }),
        user: user.id,
        text: textFromPerson(post.text, app),
        ...(user.bot_id === undefined
          ? { client_msg_id: randomUUID() }
          : { bot_id: user.bot_id, app_id: `A${user.bot_id.slice(1)}` }),
        ...(files.length > 0 && { files }),
      });
    },

    editMessage: ({ text, ...place }) => {
      const message = ownMessage(place);
      if (text.trim() === "") throw new ControlError("text: must not be empty");
      const edited = { user: message.user, ts: state.clock.ts() };
      const changed: Message = { ...message, text: textFromPerson(text, app), edited };
      events.change(changed);
      return changed;
    },

    deleteMessage: (message) => events.remove(ownMessage(message)),
  };
}

function messageOf(state: WorkspaceState, channel: string, ts: string): Message {
  const message = state.messages.find(channel, ts);
  if (!message) throw new ControlError(`message ${ts} not found in this channel`, 404);
  return message;
}

function storeFile(
  state: WorkspaceState,
  { name, mimetype, content, encoding = "utf8", external_url }: PostedFile,
  { user, channel }: { readonly user: User; readonly channel: Channel },
): FileObject {
  const file = state.files.add({
    name,
    mimetype,
    user: user.id,
    bytes: Buffer.from(content, encoding),
    externalUrl: external_url,
  });
  state.files.share(file, channel.id);
  return toFileObject(file, state);
}

/** Finds the user and the conversation of a control API request. Each method throws a `ControlError`. */
interface Places {
  user(idOrName: string): User;
  /** `dm` is the user's direct message with the app. */
  channel(idOrName: string, user?: User): Channel;
  /** Returns the author, and a conversation of which the author is a member; the first person by default. */
  writer(post: { channel: string; user?: string }): { user: User; channel: Channel };
}

export function createPlaces(directory: Directory): Places {
  const places: Places = {
    user: (idOrName) => {
      const user = directory.userByName(idOrName);
      if (!user) throw new ControlError(`user ${idOrName} not found`, 404);
      return user;
    },
    channel: (idOrName, user) => {
      if (idOrName === "dm" && user) return directory.directMessage(user.id);
      const channel = directory.channelByName(idOrName);
      if (!channel) throw new ControlError(`channel ${idOrName} not found`, 404);
      return channel;
    },
    writer: (post) => {
      const user = places.user(post.user ?? directory.workspace.users.find(({ is_bot }) => !is_bot)?.id ?? "");
      const channel = places.channel(post.channel, user);
      if (!channel.members.includes(user.id))
        throw new ControlError(`${user.name} is not a member of this channel`, 403);
      return { user, channel };
    },
  };
  return places;
}

/** An administrator's changes of people and conversations. The app gets no events about them. */
export function createDirectoryOperations({
  directory,
  userGroups,
}: WorkspaceState): Pick<Control, "putUser" | "putChannel" | "putUserGroup"> {
  const { users, channels } = directory.workspace;
  const checkMembers = (members: readonly string[]): void => {
    const unknown = members.filter((member) => directory.user(member) === undefined);
    if (unknown.length > 0) throw new ControlError(`members: unknown user ${unknown.join(", ")}`, 404);
  };
  /** Replaces the item with the same id, or appends it. */
  function put<Item extends { id: string }>(items: Item[], item: Item): Item {
    const index = items.findIndex(({ id }) => id === item.id);
    items.splice(index < 0 ? items.length : index, index < 0 ? 0 : 1, item);
    directory.save();
    return item;
  }
  return {
    putUser: (changes) => {
      const { id } = changes;
      const added: User = { id, name: id.toLowerCase(), real_name: id, is_bot: false, tz: "Etc/UTC" };
      return put(users, { ...(directory.user(id) ?? added), ...changes });
    },

    putChannel: (changes) => {
      const { id, members = [] } = changes;
      checkMembers(members);
      const added: Channel = { id, name: id.toLowerCase(), kind: "channel", members: [] };
      return put(channels, { ...(directory.channel(id) ?? added), ...changes });
    },

    putUserGroup: (group) => {
      checkMembers(group.users);
      userGroups.set(group.id, group);
      return group;
    },
  };
}
