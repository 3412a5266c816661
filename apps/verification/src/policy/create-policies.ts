import { createTokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "../time/clock.ts";
import type { CommandRecord } from "./command-record.ts";
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

/** The limits that the rules enforce. */
export interface PolicyLimits {
  readonly userPerMinute: number;
  readonly channelPerMinute: number;
  readonly teamPerMinute: number;
  readonly threadPerHour: number;
  /** Maximum number of questions that wait in one thread. */
  readonly mostWaiting: number;
  readonly mostCharacters: number;
  readonly mostFiles: number;
  /** Maximum bytes of one file. */
  readonly mostFileBytes: number;
  /** Timeout of one Slack lookup, milliseconds. */
  readonly lookupTimeoutMs: number;
}

/**
 * Where a judgement happens: before Slack's event is acknowledged, while a worker processes it, when its files are known, or for a slash
 * command.
 */
export const judgementStages = ["intake", "flow", "files", "command"] as const;

export type JudgementStage = (typeof judgementStages)[number];

export interface PoliciesOptions {
  readonly source: PolicySource;
  readonly limits: PolicyLimits;
  readonly identity: SlackIdentity;
  readonly slack: Pick<SlackApi, "team" | "user" | "channel">;
  readonly clock: Clock;
  /** True if a team must be listed even though it installed the app, because anyone can reach the install page. */
  readonly installersAreListed?: boolean;
  readonly onJudged: (stage: JudgementStage, subject: PolicySubject, judgement: Judgement) => void;
}

/** Judges a record at each stage, with what is known then. */
export type Policies = Readonly<{
  /** Applies the rules that need only the event; makes no calls. */
  atIntake: (record: InboxRecord) => Promise<Judgement>;
  /** Applies every rule. */
  inFlow: (record: InboxRecord) => Promise<Judgement>;
  /** Applies every rule except the rate limits, for a record that they have already counted. */
  again: (record: InboxRecord) => Promise<Judgement>;
  /** Applies the rules for files. */
  ofFiles: (record: AskRecord) => Promise<Judgement>;
  /** Applies every rule to a slash command, which counts like a message. */
  ofCommand: (record: CommandRecord) => Promise<Judgement>;
}>;

/** Added to the lookup timeout, so that a slow lookup fails with its own error. */
const ruleMarginMs = 500;

/**
 * Returns the policies. Rules run in order: cheap rules that deny the most come first. Rules about the author precede all other lookups, so
 * a stranger gets no reply even if a later lookup fails.
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
  // The person's own limit comes first, so that excess messages do not use up the limits of others in the thread.
  return [
    createRateRule({ of: "user", buckets: perMinute(limits.userPerMinute) }),
    createRateRule({ of: "thread", buckets: perHour }),
    createRateRule({ of: "channel", buckets: perMinute(limits.channelPerMinute) }),
    createRateRule({ of: "team", buckets: perMinute(limits.teamPerMinute) }),
  ];
}
