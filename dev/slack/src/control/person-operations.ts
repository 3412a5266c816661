import { ControlError, type PutChannel } from "../protocol/control-api.ts";
import type { Channel, User } from "../protocol/workspace.ts";
import { sessionStoppedEvent } from "../events/event-envelope.ts";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";
import type { Directory } from "../workspace/directory.ts";
import { createMessageOperations, type MessageOperations, messageOf, type Places } from "./message-operations.ts";

type PersonOperations = MessageOperations & Pick<Control, "stop" | "file">;

/** The actions of people in the workspace. */
export function createPersonOperations(state: WorkspaceState, events: EventPublisher): PersonOperations {
  const { directory } = state;
  const places = createPlaces(directory);
  return {
    ...createMessageOperations(state, events, places),

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

/** Makes the finder of a directory's people and conversations. */
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
  feed,
}: WorkspaceState): Pick<Control, "putUser" | "putChannel" | "addApp" | "putUserGroup"> {
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
  const putChannel = (changes: PutChannel): Channel => {
    const { id, members = [] } = changes;
    checkMembers(members);
    const added: Channel = { id, name: id.toLowerCase(), kind: "channel", members: [] };
    const channel = put(channels, { ...(directory.channel(id) ?? added), ...changes });
    feed.publish({ type: "channel", channel });
    return channel;
  };
  return {
    putUser: (changes) => {
      const { id } = changes;
      const added: User = { id, name: id.toLowerCase(), real_name: id, is_bot: false, tz: "Etc/UTC" };
      const user = put(users, { ...(directory.user(id) ?? added), ...changes });
      feed.publish({ type: "user", user });
      return user;
    },

    putChannel,

    addApp: (idOrName) => {
      const { id, members } = createPlaces(directory).channel(idOrName);
      return putChannel({ id, members: [...new Set([...members, directory.bot.id])] });
    },

    putUserGroup: (group) => {
      checkMembers(group.users);
      userGroups.set(group.id, group);
      return group;
    },
  };
}
