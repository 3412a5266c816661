import type { FollowMode, PolicySection } from "@crosszone/contracts";
import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import type { InboxRecord, RecordHead } from "../inbox/records.ts";
import type { Limits } from "../limits.ts";
import type { SlackChannel, SlackIdentity, SlackUser } from "../slack/slack-api.ts";
import type { Denial, DenyReason } from "./denials.ts";
import type { SlackDirectory } from "./slack-directory.ts";

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
function isAllowedTeam(
  team: string,
  { policy, identity }: { readonly policy: AccessPolicy; readonly identity: SlackIdentity },
): boolean {
  return team === identity.team_id || team === identity.enterprise_id || policy.allowed_teams.has(team);
}

/** Who typed a slash command, and where. A command has no thread and is not stored: Slack sends it once. */
export interface CommandRecord extends Omit<RecordHead, "thread_ts" | "in_thread" | "claims"> {
  readonly kind: "command";
  readonly thread_ts?: undefined;
}

/** A message or a slash command for the policy to judge. */
export type JudgedRecord = InboxRecord | CommandRecord;

/** The input of a rule. */
export interface PolicySubject {
  readonly record: JudgedRecord;
  /** The policy at the start of the judgment. */
  readonly policy: AccessPolicy;
  readonly identity: SlackIdentity;
  /** Slack's data about the people and places in the record. */
  readonly directory: SlackDirectory;
}

/** `allow`, or a denial with its reason. */
export type PolicyVerdict = "allow" | Denial;

/**
 * One requirement that must hold before a message is answered. A rule allows only what it has verified and denies what is unknown, so no
 * rule depends on an earlier one. An exception counts as a denial. `signal` aborts when the verdict is no longer needed.
 */
export type PolicyRule = (subject: PolicySubject, signal: AbortSignal) => PolicyVerdict | Promise<PolicyVerdict>;

/** A rule with its name in logs and metrics. */
export interface NamedRule {
  readonly name: string;
  readonly judge: PolicyRule;
}

type Test<Found> = (found: Found, subject: PolicySubject) => boolean;

/** Returns a rule about the author. An unknown one never passes. */
const userRule =
  (passes: Test<SlackUser>, reason: DenyReason): PolicyRule =>
  async (subject) => {
    const user = await subject.directory.user(subject.record.user_id);
    return user !== undefined && passes(user, subject) ? "allow" : { reason };
  };

/** Returns a rule about the conversation. An unknown one never passes. */
const channelRule =
  (passes: Test<SlackChannel>, reason: DenyReason): PolicyRule =>
  async (subject) => {
    const channel = await subject.directory.channel(subject.record.channel);
    return channel !== undefined && passes(channel, subject) ? "allow" : { reason };
  };

/**
 * Requires that the event's home teams of the author are allowed. An event can name none; `no_strangers` then looks the author up. Makes no
 * calls.
 */
const authorTeamRule: PolicyRule = (subject) =>
  subject.record.author_teams.every((team) => isAllowedTeam(team, subject)) ? "allow" : { reason: "foreign_author" };

/** Requires that the author is on the list of people. With an empty list, other rules decide. */
const userListRule: PolicyRule = ({ record, policy: { allowed_users } }) =>
  allowed_users.size === 0 || allowed_users.has(record.user_id) ? "allow" : { reason: "user_not_listed" };

/** Denies a workspace whose permission to install the app was withdrawn. Makes no calls. */
const installerRule: PolicyRule = ({ policy, identity }) =>
  mayInstall(policy, identity) ? "allow" : { reason: "foreign_team" };

/** Requires that the event's envelope names at least one team, and only allowed ones. Makes no calls. */
const teamListRule: PolicyRule = (subject) => {
  const { teams } = subject.record;
  const allowed = teams.length > 0 && teams.every((team) => isAllowedTeam(team, subject));
  return allowed ? "allow" : { reason: "foreign_team" };
};

/** Requires that the event's teams exist and the app can see them. An organization is not a team and has no `team.info`. */
const teamExistsRule: PolicyRule = async ({ record, directory }) => {
  const teams = record.teams.filter((team) => !team.startsWith("E"));
  const found = await Promise.all(teams.map(directory.team));
  return found.includes(undefined) ? { reason: "unknown_team" } : "allow";
};

/** Requires that the conversation is on the list of channels. With an empty list, other rules decide. */
const channelListRule: PolicyRule = ({ record: { channel }, policy: { allowed_channels } }) => {
  const listed = allowed_channels.has(channel) || (channel.startsWith("D") && allowed_channels.has("dm"));
  return allowed_channels.size === 0 || listed ? "allow" : { reason: "channel_not_listed" };
};

/** Who or what a rate limit counts. */
type RateOwner = "thread" | "user" | "channel" | "team";

/**
 * Limits the messages from one person, team, channel or thread. Stops have their own limits, so that a requester at the limit can still
 * stop running tasks.
 */
export function rateRule(of: RateOwner, buckets: TokenBuckets): PolicyRule {
  return async (subject) => {
    // A command has no thread.
    if (of === "thread" && subject.record.kind === "command") return "allow";
    const what = subject.record.kind === "stop" ? "stop" : "ask";
    const retryAfterMs = buckets.take(`${what} ${await keys[of](subject)}`);
    return retryAfterMs === 0 ? "allow" : { reason: `${of}_rate`, retryAfterMs };
  };
}

/** Returns buckets for this many messages a minute, including one burst of this size. */
const perMinute = (count: number): TokenBuckets => createTokenBuckets({ perMinute: count });

/** Returns buckets for this many messages an hour, including one burst of this size. */
const perHour = (count: number): TokenBuckets => createTokenBuckets({ capacity: count, perMinute: count / 60 });

const keys: Record<RateOwner, (subject: PolicySubject) => string | Promise<string>> = {
  thread: ({ record }) => `${record.channel} ${record.thread_ts}`,
  user: ({ record }) => record.user_id,
  channel: ({ record }) => record.channel,
  // People from a partner organization count for their own team.
  team: async ({ record, directory }) => (await directory.user(record.user_id))?.team_id ?? record.team_id,
};

/** Denies a message that arrived when too many questions were waiting in its thread, or that is one word to the question that runs. */
function threadQueueRule({ MAX_WAITING_PER_THREAD: limit }: Limits): PolicyRule {
  return ({ record }) => {
    if (record.kind !== "turned_away" || record.awaits !== undefined) return "allow";
    return record.one_word === true ? { reason: "one_word" } : { reason: "thread_busy", limit };
  };
}

function textLengthRule({ MAX_QUESTION_CHARACTERS: limit }: Limits): PolicyRule {
  return ({ record }) => {
    const text = record.kind === "ask" ? record.text : record.kind === "fire" ? record.fire.text : undefined;
    return (text?.length ?? 0) > limit ? { reason: "text_too_long", limit } : "allow";
  };
}

/** Limits the number of files, and the size of each. A file whose size the event omits is measured when it is fetched. */
export function filesRule({ MAX_FILES, MAX_FILE }: Limits): PolicyRule {
  return ({ record }) => {
    if (record.kind !== "ask") return "allow";
    if (record.files.length > MAX_FILES) return { reason: "too_many_files", limit: MAX_FILES };
    const tooLarge = record.files.some(({ size = 0 }) => size > MAX_FILE);
    return tooLarge ? { reason: "file_too_large", limit: MAX_FILE } : "allow";
  };
}

/** A rule in the table, and when it runs in addition to the judgment of every message and slash command. */
interface RuleEntry {
  readonly create: (limits: Limits) => PolicyRule;
  /** `intake`: before Slack's event is acknowledged. `files`: when the files of a question are known. */
  readonly alsoAt?: "intake" | "files";
  /** True if the rule counts messages, so that the retry of a message skips it. */
  readonly counts?: true;
  /** True if the rule runs only where any workspace can reach the install page. */
  readonly onlyInstalled?: true;
}

/**
 * Every rule by its name in logs and metrics, in the order in which they run. Rules about the author
 * precede those about the place and the message, so a stranger gets no reply even if a later lookup fails. Among them, cheap rules that
 * deny the most come first. The person's own rate limit precedes the
 * others, so that excess messages do not use up the limits of other people.
 */
const rules = {
  installer: { create: () => installerRule, alsoAt: "intake", onlyInstalled: true },
  team_list: { create: () => teamListRule, alsoAt: "intake" },
  author_team: { create: () => authorTeamRule, alsoAt: "intake" },
  user_exists: { create: () => userRule(() => true, "unknown_user") },
  active_user: { create: () => userRule(({ deleted }) => !deleted, "deactivated") },
  // Also those that the event does not reveal.
  no_bots: { create: () => userRule(({ bot }) => !bot, "bot") },
  no_strangers: {
    // By Slack's data, not by the event.
    create: () => userRule(({ stranger, team_id }, by) => !stranger && isAllowedTeam(team_id, by), "stranger"),
  },
  team_exists: { create: () => teamExistsRule },
  channel_exists: { create: () => channelRule(() => true, "unknown_channel") },
  no_guests: { create: () => userRule(({ guest }, { policy }) => !guest || policy.allow_guests, "guest") },
  // No answer can be posted there.
  not_archived: { create: () => channelRule(({ archived }) => !archived, "archived") },
  not_shared: {
    // With another organization, or about to be.
    create: () => channelRule(({ shared }, { policy }) => !shared || policy.allow_shared_channels, "shared_channel"),
  },
  user_list: { create: () => userListRule },
  channel_list: { create: () => channelListRule },
  user_rate: { create: (limits) => rateRule("user", perMinute(limits.MESSAGES_PER_MINUTE)), counts: true },
  thread_rate: { create: (limits) => rateRule("thread", perHour(limits.THREAD_MESSAGES_PER_HOUR)), counts: true },
  channel_rate: {
    create: (limits) => rateRule("channel", perMinute(limits.CHANNEL_RATE_FACTOR * limits.MESSAGES_PER_MINUTE)),
    counts: true,
  },
  team_rate: {
    create: (limits) => rateRule("team", perMinute(limits.TEAM_RATE_FACTOR * limits.MESSAGES_PER_MINUTE)),
    counts: true,
  },
  thread_queue: { create: threadQueueRule },
  text_length: { create: textLengthRule },
  files: { create: filesRule, alsoAt: "files" },
} satisfies Record<string, RuleEntry>;

export type RuleName = keyof typeof rules;

/** The names of all rules, in the order in which they run. */
export const ruleNames: readonly RuleName[] = Object.keys(rules) as RuleName[];

/** Makes all rules, in the order in which they run. */
export function makeRules(limits: Limits) {
  return Object.entries<RuleEntry>(rules).map(([name, { create, ...when }]) => ({
    name,
    judge: create(limits),
    ...when,
  }));
}
