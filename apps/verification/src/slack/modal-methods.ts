import type { SlackApi } from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";
import type { CallSlack } from "./token-clients.ts";

/** Makes the methods of modals, which never retry, and of those that people who decide are found with. */
export function modalMethods(
  calling: CallSlack,
): Pick<SlackApi, "openDirect" | "groupMembers" | "openModal" | "updateModal"> {
  return {
    openDirect: (users) =>
      calling("conversations.open", async ({ client }) => {
        const id = (await client.conversations.open({ users })).channel?.id;
        if (id === undefined)
          throw new SlackCallError("conversations.open", { failure: "unavailable", code: "no_channel" });
        return id;
      }),

    groupMembers: (usergroup, team_id) =>
      calling("usergroups.users.list", async ({ client }) => {
        const { users = [] } = await client.usergroups.users.list({ usergroup, team_id });
        return users;
      }),

    openModal: (trigger_id, view) =>
      calling("views.open", async ({ once }) => {
        await once.views.open({ trigger_id, view });
      }),

    updateModal: (view_id, view) =>
      calling("views.update", async ({ once }) => {
        await once.views.update({ view_id, view });
      }),
  };
}
