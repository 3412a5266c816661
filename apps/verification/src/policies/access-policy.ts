import type { SlackIdentity } from "../slack/slack-api.ts";

/** Who may ask, and where. A list that is empty lets nobody in who is not a member of the team that installed the app. */
export interface AccessPolicy {
  /** Teams beside the one that installed the app. */
  readonly allowed_teams: ReadonlySet<string>;
  /** Conversations; empty for all that the app is in. `dm` stands for every direct message. */
  readonly allowed_channels: ReadonlySet<string>;
  /** People; empty for every member of an allowed team. */
  readonly allowed_users: ReadonlySet<string>;
  readonly allow_guests: boolean;
  /** Whether channels may be used that are shared with another organisation. */
  readonly allow_shared_channels: boolean;
  /** The agent that answers in a channel when a message names none, by channel id. */
  readonly channel_agents: ReadonlyMap<string, string>;
}

/** Gives the policy that is in force. */
export interface PolicySource {
  readonly current: () => AccessPolicy;
  /** Nothing is looked at any more; the policy stays in force. */
  readonly close: () => void;
}

/** Whether a workspace may install the app by itself: it is named, or its organisation is. Nobody may when nobody is named. */
export function mayInstall(
  policy: AccessPolicy,
  { team_id, enterprise_id }: { readonly team_id?: string | undefined; readonly enterprise_id?: string | undefined },
): boolean {
  return [team_id, enterprise_id].some((id) => id !== undefined && policy.allowed_teams.has(id));
}

/** Whether a team is the one that installed the app, or was allowed by name. */
export function isAllowedTeam(
  team: string,
  { policy, identity }: { readonly policy: AccessPolicy; readonly identity: SlackIdentity },
): boolean {
  return team === identity.team_id || team === identity.enterprise_id || policy.allowed_teams.has(team);
}
