import type { ModalView } from "@slack/web-api";
import { SlackCallError } from "./slack-call-error.ts";
import type { CallSlack } from "./token-clients.ts";

/** The methods of Slack's Web API for modals, and for finding the people who decide. */
export interface ModalApi {
  /** Resolves with the id of the app's direct conversation with a person. */
  readonly openDirect: (user: string) => Promise<string>;
  /** Resolves with the user ids of an enabled user group. `team_id` is for an organization's token. */
  readonly groupMembers: (group: string, team_id: string) => Promise<readonly string[]>;
  /** Resolves with the handles of a team's user groups by id; undefined if the app may not read them. */
  readonly groupHandles: (team_id: string) => Promise<ReadonlyMap<string, string> | undefined>;
  /** Opens a modal for the person whose press has this trigger, which Slack accepts once and for three seconds. */
  readonly openModal: (trigger_id: string, modal: ModalView) => Promise<void>;
  /** Replaces the content of an open modal. */
  readonly updateModal: (view_id: string, modal: ModalView) => Promise<void>;
}

/** Makes the methods. Those of modals never retry. */
export function modalMethods(calling: CallSlack): ModalApi {
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

    groupHandles: (team_id) =>
      calling("usergroups.list", async ({ client }) => {
        const { usergroups = [] } = await client.usergroups.list({ team_id });
        return new Map(usergroups.flatMap(({ id, handle }) => (id && handle ? [[id, handle] as const] : [])));
      }).catch((error: unknown) => {
        if (error instanceof SlackCallError && error.failure === "refused") return undefined;
        throw error;
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
