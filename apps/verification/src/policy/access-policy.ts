import type { FollowMode, PolicySection } from "@crosszone/contracts";
import type { SlackIdentity } from "../slack/slack-api.ts";

/** Who can ask, and where. An empty list allows only members of the team that installed the app. */
export interface AccessPolicy extends Omit<PolicySection, ListOrMap> {
  /** Teams in addition to the one that installed the app. */
  readonly allowed_teams: ReadonlySet<string>;
  /** Allowed conversations; empty allows all conversations of the app. `dm` means all direct messages. */
  readonly allowed_channels: ReadonlySet<string>;
  /** Allowed people; empty allows every member of an allowed team. */
  readonly allowed_users: ReadonlySet<string>;
  /** The agent for messages that name none, by channel id. */
  readonly channel_agents: ReadonlyMap<string, string>;
  /** `follow` by channel id. */
  readonly channel_follow: ReadonlyMap<string, FollowMode>;
  /** Apps that can post questions with a person's own token, by id, and people for whom every app can. */
  readonly apps: ReadonlySet<string>;
  /** The agent or workflow that is asked about a message with a reaction, by the reaction's name. */
  readonly reactions: ReadonlyMap<string, string>;
  /** The section of the settings, with every default. */
  readonly written: PolicySection;
  /** Its version in the audit log: SHA-256 of the section in hex. */
  readonly digest: string;
}

type ListOrMap =
  "allowed_teams" | "allowed_channels" | "allowed_users" | "channel_agents" | "channel_follow" | "apps" | "reactions";

/** Provides the current policy. */
export interface PolicySource {
  readonly current: () => AccessPolicy;
}

/** Returns true if what this app posts with the person's own token is the person's. */
export const postsForPerson = (
  { apps }: AccessPolicy,
  { user = "", app_id = "" }: { readonly user?: string | undefined; readonly app_id?: string | undefined },
): boolean => user !== "" && (apps.has(user) || apps.has(app_id));

/** Returns whose replies are for the app in this channel. */
export const followsIn = ({ follow, channel_follow }: AccessPolicy, channel: string): AccessPolicy["follow"] =>
  channel_follow.get(channel) ?? follow;

/** Returns true if the list names the workspace or its organization, so that it can install the app. An empty list allows none. */
export function mayInstall(
  policy: AccessPolicy,
  { team_id, enterprise_id }: { readonly team_id?: string | undefined; readonly enterprise_id?: string | undefined },
): boolean {
  return [team_id, enterprise_id].some((one) => one !== undefined && policy.allowed_teams.has(one));
}

/** Returns true if a team installed the app, or is on the list. */
export function isAllowedTeam(
  team: string,
  { policy, identity }: { readonly policy: AccessPolicy; readonly identity: SlackIdentity },
): boolean {
  return team === identity.team_id || team === identity.enterprise_id || policy.allowed_teams.has(team);
}
