import type { Limits } from "../limits.ts";
import type { NamedRule, PolicyRule } from "./policy-rule.ts";
import * as access from "./rules/access-rules.ts";
import { filesRule, perHour, perMinute, rateRule, textLengthRule, threadQueueRule } from "./rules/message-rules.ts";

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
  installer: { create: () => access.installerRule, alsoAt: "intake", onlyInstalled: true },
  team_list: { create: () => access.teamListRule, alsoAt: "intake" },
  author_team: { create: () => access.authorTeamRule, alsoAt: "intake" },
  user_exists: { create: () => access.userExistsRule },
  active_user: { create: () => access.activeUserRule },
  no_bots: { create: () => access.noBotsRule },
  no_strangers: { create: () => access.noStrangersRule },
  team_exists: { create: () => access.teamExistsRule },
  channel_exists: { create: () => access.channelExistsRule },
  no_guests: { create: () => access.noGuestsRule },
  not_archived: { create: () => access.notArchivedRule },
  not_shared: { create: () => access.notSharedRule },
  user_list: { create: () => access.userListRule },
  channel_list: { create: () => access.channelListRule },
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

/** A rule of the table, ready to judge. */
interface MadeRule extends NamedRule, Omit<RuleEntry, "create"> {}

/** The names of all rules, in the order in which they run. */
export const ruleNames: readonly RuleName[] = Object.keys(rules) as RuleName[];

/** Makes all rules, in the order in which they run. */
export function makeRules(limits: Limits): readonly MadeRule[] {
  return Object.entries<RuleEntry>(rules).map(([name, { create, ...when }]) => ({
    name,
    judge: create(limits),
    ...when,
  }));
}
