import type { Directory } from "../workspace/directory.ts";
import { ControlError } from "./control-error.ts";
import type { Channel, User } from "./protocol.ts";

/** Finds who and where a request to the control API means. Each throws a `ControlError`. */
export interface Places {
  user(idOrName: string): User;
  /** `dm` is the direct message of the user with the app. */
  channel(idOrName: string, user?: User): Channel;
  /** Who writes, and a conversation that they are in; the first person when nobody is named. */
  writer(post: { channel: string; user?: string }): { user: User; channel: Channel };
}

export function createPlaces(directory: Directory): Places {
  const places: Places = {
    user: (idOrName) => {
      const user = directory.userByName(idOrName);
      if (!user) throw new ControlError(`there is no user ${idOrName}`, 404);
      return user;
    },
    channel: (idOrName, user) => {
      if (idOrName === "dm" && user) return directory.openConversation([user.id]);
      const channel = directory.channelByName(idOrName);
      if (!channel) throw new ControlError(`there is no channel ${idOrName}`, 404);
      return channel;
    },
    writer: (post) => {
      const user = places.user(post.user ?? directory.workspace.users.find(({ is_bot }) => !is_bot)?.id ?? "");
      const channel = places.channel(post.channel, user);
      if (!channel.members.includes(user.id)) throw new ControlError(`${user.name} is not in this channel`, 403);
      return { user, channel };
    },
  };
  return places;
}
