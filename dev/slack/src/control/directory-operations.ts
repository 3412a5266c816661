import { ControlError } from "../protocol/control-api.ts";
import type { Channel, User } from "../protocol/workspace.ts";
import type { Directory } from "../workspace/directory.ts";
import type { Control } from "./control.ts";

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
export function createDirectoryOperations(directory: Directory): Pick<Control, "putUser" | "putChannel"> {
  const { users, channels } = directory.workspace;
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
      const unknown = members.filter((member) => directory.user(member) === undefined);
      if (unknown.length > 0) throw new ControlError(`members: unknown user ${unknown.join(", ")}`, 404);
      const added: Channel = { id, name: id.toLowerCase(), kind: "channel", members: [] };
      return put(channels, { ...(directory.channel(id) ?? added), ...changes });
    },
  };
}
