import type { SlackLink } from "../deps.ts";
import { insist } from "../time/retry-forever.ts";
import type { Desk, MakeDesk } from "./workspace-context.ts";
import type { Desks } from "./workspaces.ts";

/** Makes the one desk of the bot token's workspace, for events of any workspace: the desk's policy denies the others. */
export function createSingleDesk(link: SlackLink, make: MakeDesk): Desks {
  let desk: Desk | undefined;
  return {
    open: async (insisting) => {
      const identity = await insist(() => link.slack.identity(), insisting);
      const made = make(link, identity);
      await insist(made.appId, insisting);
      desk = made;
      return identity;
    },
    of: async () => desk,
    linkOf: async () => link,
  };
}
