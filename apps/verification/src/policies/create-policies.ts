import { createTokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "../clock.ts";
import type { CommandRecord } from "../commands/command-record.ts";
import type { AskRecord, InboxRecord } from "../inbox/inbox.ts";
import type { SlackApi, SlackIdentity } from "../slack/slack-api.ts";
import type { PolicySource } from "./access-policy.ts";
import { createPipeline, type Judgement } from "./pipeline.ts";
import type { JudgedRecord } from "./judged-record.ts";
import type { PolicyRule, PolicySubject } from "./policy-rule.ts";
import { activeUserRule } from "./rules/active-user-rule.ts";
import { authorTeamRule } from "./rules/author-team-rule.ts";
import { channelExistsRule } from "./rules/channel-exists-rule.ts";
import { channelListRule } from "./rules/channel-list-rule.ts";
import { createFilesRule } from "./rules/files-rule.ts";
import { installerRule } from "./rules/installer-rule.ts";
import { noBotsRule } from "./rules/no-bots-rule.ts";
import { noGuestsRule } from "./rules/no-guests-rule.ts";
import { noStrangersRule } from "./rules/no-strangers-rule.ts";
import { notArchivedRule } from "./rules/not-archived-rule.ts";
import { notSharedRule } from "./rules/not-shared-rule.ts";
import { createRateRule } from "./rules/rate-rule.ts";
import { teamExistsRule } from "./rules/team-exists-rule.ts";
import { teamListRule } from "./rules/team-list-rule.ts";
import { createTextLengthRule } from "./rules/text-length-rule.ts";
import { createThreadQueueRule } from "./rules/thread-queue-rule.ts";
import { userExistsRule } from "./rules/user-exists-rule.ts";
import { userListRule } from "./rules/user-list-rule.ts";
import { createSlackDirectory, lookAhead } from "./slack-directory.ts";

/** How much is let through. */
export interface PolicyLimits {
  readonly userPerMinute: number;
  readonly channelPerMinute: number;
  readonly teamPerMinute: number;
  readonly threadPerHour: number;
  /** Questions that may wait in one thread behind the one that is worked on. */
  readonly mostWaiting: number;
  readonly mostCharacters: number;
  readonly mostFiles: number;
  /** Bytes of one file. */
  readonly mostFileBytes: number;
  /** How long Slack may take to say who somebody is, milliseconds. */
  readonly lookupTimeoutMs: number;
}

/** Where a judgement took place: before Slack was told that the event arrived, in the work on it, or in that on a slash command. */
export const judgementStages = ["intake", "flow", "files", "command"] as const;

export type JudgementStage = (typeof judgementStages)[number];

export interface PoliciesOptions {
  readonly source: PolicySource;
  readonly limits: PolicyLimits;
  readonly identity: SlackIdentity;
  readonly slack: Pick<SlackApi, "team" | "user" | "channel">;
  readonly clock: Clock;
  /** Whether a team has to be on the list though it has installed the app, as where anybody can reach the install page. */
  readonly installersAreListed?: boolean;
  readonly onJudged: (stage: JudgementStage, subject: PolicySubject, judgement: Judgement) => void;
}

/** Judges records at the points where more of them is known. */
export type Policies = Readonly<{
  /** By what the event itself says: calls nobody. */
  atIntake: (record: InboxRecord) => Promise<Judgement>;
  /** By every rule. */
  inFlow: (record: InboxRecord) => Promise<Judgement>;
  /** By every rule but those that count: for what they have counted already. */
  again: (record: InboxRecord) => Promise<Judgement>;
  /** By its files. */
  ofFiles: (record: AskRecord) => Promise<Judgement>;
  /** A slash command, by every rule: it counts like a message. */
  ofCommand: (record: CommandRecord) => Promise<Judgement>;
}>;

/** Over the limit of a lookup, so that a rule fails by what its lookup says. */
const ruleMarginMs = 500;

/**
 * Every rule, in the order in which they are asked: what costs least and shuts out most comes first. Who somebody is comes before
 * whatever else Slack is asked: a stranger hears nothing, also when Slack cannot say the rest.
 */
export function createPolicies(options: PoliciesOptions): Policies {
  const { source, limits, identity, slack, clock, installersAreListed = false, onJudged } = options;
  const directory = createSlackDirectory({ slack, now: clock.now, timeoutMs: limits.lookupTimeoutMs });
  const byEvent: PolicyRule[] = [...(installersAreListed ? [installerRule] : []), teamListRule, authorTeamRule];
  const byFiles = [createFilesRule({ mostFiles: limits.mostFiles, mostBytes: limits.mostFileBytes })];
  const counting = rateRules(limits);
  const all: PolicyRule[] = [
    ...byEvent,
    userExistsRule,
    activeUserRule,
    noBotsRule,
    noStrangersRule,
    teamExistsRule,
    channelExistsRule,
    noGuestsRule,
    notArchivedRule,
    notSharedRule,
    userListRule,
    channelListRule,
    ...counting,
    createThreadQueueRule(limits.mostWaiting),
    createTextLengthRule(limits.mostCharacters),
    ...byFiles,
  ];

  const judging = (stage: JudgementStage, rules: PolicyRule[]): ((record: JudgedRecord) => Promise<Judgement>) => {
    const judge = createPipeline({
      rules,
      timeoutMs: limits.lookupTimeoutMs + ruleMarginMs,
      onJudged: (subject, judgement) => onJudged(stage, subject, judgement),
    });
    return (record) => judge({ record, policy: source.current(), identity, directory });
  };
  const lookingAhead =
    (judge: (record: JudgedRecord) => Promise<Judgement>) =>
    (record: JudgedRecord): Promise<Judgement> => {
      lookAhead(directory, record);
      return judge(record);
    };
  return {
    atIntake: judging("intake", byEvent),
    inFlow: lookingAhead(judging("flow", all)),
    again: lookingAhead(
      judging(
        "flow",
        all.filter((rule) => !counting.includes(rule)),
      ),
    ),
    ofFiles: judging("files", byFiles),
    ofCommand: lookingAhead(judging("command", all)),
  };
}

function rateRules(limits: PolicyLimits): PolicyRule[] {
  const perMinute = (count: number): ReturnType<typeof createTokenBuckets> =>
    createTokenBuckets({ capacity: count, perMinute: count });
  const perHour = createTokenBuckets({ capacity: limits.threadPerHour, perMinute: limits.threadPerHour / 60 });
  // What one person sends over their own limit takes nothing from those with whom they share a thread.
  return [
    createRateRule({ of: "user", buckets: perMinute(limits.userPerMinute) }),
    createRateRule({ of: "thread", buckets: perHour }),
    createRateRule({ of: "channel", buckets: perMinute(limits.channelPerMinute) }),
    createRateRule({ of: "team", buckets: perMinute(limits.teamPerMinute) }),
  ];
}
