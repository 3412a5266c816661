import type { Directory } from "../workspace/directory.ts";
import { ControlError } from "./control-error.ts";
import type { Channel, User } from "./protocol.ts";

/** Finds the user and the conversation of a control API request. Each method throws a `ControlError`. */
export interface Places {
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
      if (idOrName === "dm" && user) return directory.openConversation([user.id]);
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
