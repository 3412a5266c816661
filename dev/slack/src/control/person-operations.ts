import { randomUUID } from "node:crypto";
import { ControlError, type DeleteMessage, type PostedFile } from "../protocol/control-api.ts";
import type { Channel, FileObject, Message, User } from "../protocol/workspace.ts";
import { homeOpenedEvent, sessionStoppedEvent } from "../events/event-shapes.ts";
import type { EventPublisher } from "../events/event-publisher.ts";
import { toFileObject } from "../workspace/file-shape.ts";
import { textFromPerson } from "../workspace/slack-text.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";
import { createPlaces } from "./directory-operations.ts";

type PersonOperations = Pick<
  Control,
  "messages" | "postMessage" | "editMessage" | "deleteMessage" | "stop" | "openHome" | "file"
>;

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

    openHome: ({ user, tab = "messages" }) => {
      const { id } = places.user(user);
      events.send(homeOpenedEvent({ channel: directory.directMessage(id).id, user: id, tab }, state));
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
    ...(external_url !== undefined && { externalUrl: external_url }),
  });
  state.files.share(file, channel.id);
  return toFileObject(file, state);
}
