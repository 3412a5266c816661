import type { SlackIdentity } from "../slack/slack-api.ts";

/** Who can ask, and where. An empty list allows only members of the team that installed the app. */
export interface AccessPolicy {
  /** Teams in addition to the one that installed the app. */
  readonly allowed_teams: ReadonlySet<string>;
  /** Allowed conversations; empty allows all conversations of the app. `dm` means all direct messages. */
  readonly allowed_channels: ReadonlySet<string>;
  /** Allowed people; empty allows every member of an allowed team. */
  readonly allowed_users: ReadonlySet<string>;
  readonly allow_guests: boolean;
  /** True if channels shared with another organisation are allowed. */
  readonly allow_shared_channels: boolean;
  /** The agent for messages that name none, by channel id. */
  readonly channel_agents: ReadonlyMap<string, string>;
}

/** Provides the current policy. */
export interface PolicySource {
  readonly current: () => AccessPolicy;
  /** Stops following changes; the current policy stays in force. */
  readonly close: () => void;
}

/** Returns true if the list names the workspace or its organisation, so that it can install the app. An empty list allows none. */
export function mayInstall(
  policy: AccessPolicy,
  { team_id, enterprise_id }: { readonly team_id?: string | undefined; readonly enterprise_id?: string | undefined },
): boolean {
  return [team_id, enterprise_id].some((id) => id !== undefined && policy.allowed_teams.has(id));
}

/** Returns true if a team installed the app, or is on the list. */
export function isAllowedTeam(
  team: string,
  { policy, identity }: { readonly policy: AccessPolicy; readonly identity: SlackIdentity },
): boolean {
  return team === identity.team_id || team === identity.enterprise_id || policy.allowed_teams.has(team);
}
