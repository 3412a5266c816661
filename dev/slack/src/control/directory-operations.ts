import type { Directory } from "../workspace/directory.ts";
import { ControlError } from "./control-error.ts";
import type { Control } from "./control.ts";
import type { Channel, User } from "./protocol.ts";

/** An administrator's changes of people and conversations. The app gets no events about them. */
export function createDirectoryOperations(directory: Directory): Pick<Control, "putUser" | "putChannel"> {
  const { users, channels } = directory.workspace;
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

/** Replaces the item with the same id, or appends it. */
function put<Item extends { id: string }>(items: Item[], item: Item): Item {
  const index = items.findIndex(({ id }) => id === item.id);
  items.splice(index < 0 ? items.length : index, index < 0 ? 0 : 1, item);
  return item;
}
