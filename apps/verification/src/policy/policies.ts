import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { InboxRecord, Question } from "../inbox/records.ts";
import type { Limits } from "../limits.ts";
import type { SlackApi, SlackIdentity } from "../slack/slack-api.ts";
import type { PolicySource } from "./access-policy.ts";
import { createPipeline, type Judgment } from "./pipeline.ts";
import type { CommandRecord, JudgedRecord, NamedRule } from "./policy-rule.ts";
import { makeRules } from "./rules.ts";
import { createSlackDirectory, lookAhead } from "./slack-directory.ts";

/**
 * Where a judgment happens: before Slack's event is acknowledged, while a worker processes it, when its files are known, or for a slash
 * command.
 */
export const judgmentStages = ["intake", "flow", "files", "command"] as const;

export type JudgmentStage = (typeof judgmentStages)[number];

export interface PoliciesOptions {
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly identity: SlackIdentity;
  readonly slack: SlackApi;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** True if a team must be listed even though it installed the app, because anyone can reach the install page. */
  readonly installersAreListed?: boolean;
  readonly emit: Emit<VerificationEvent>;
}

/** Judges a record at each stage, with what is known then. */
export type Policies = Readonly<{
  /** Applies the rules that need only the event; makes no calls. */
  atIntake: (record: InboxRecord) => Promise<Judgment>;
  /** Applies every rule. */
  inFlow: (record: InboxRecord) => Promise<Judgment>;
  /** Applies every rule except the rate limits, for a record that they have already counted. */
  onRetry: (record: InboxRecord) => Promise<Judgment>;
  /** Applies the rules for files. */
  ofFiles: (record: Question) => Promise<Judgment>;
  /** Applies every rule to a slash command, which counts like a message. */
  ofCommand: (record: CommandRecord) => Promise<Judgment>;
}>;

type Judge = (record: JudgedRecord) => Promise<Judgment>;

/** Added to the lookup timeout, so that a slow lookup fails with its own error. */
const ruleMarginMs = 500;

/** Makes the policies of one workspace. */
export function createPolicies(options: PoliciesOptions): Policies {
  const { policy, limits, identity, slack, now, installersAreListed = false, emit } = options;
  const directory = createSlackDirectory({ slack, now, timeoutMs: limits.SLACK_LOOKUP_TIMEOUT_MS });
  const all = makeRules(limits).filter(({ onlyInstalled }) => installersAreListed || onlyInstalled !== true);

  const judging = (stage: JudgmentStage, rules: readonly NamedRule[]): Judge => {
    const judge = createPipeline({
      rules,
      timeoutMs: limits.SLACK_LOOKUP_TIMEOUT_MS + ruleMarginMs,
      onJudged: ({ record }, judgment) => reportJudgment(emit, { record, stage }, judgment),
    });
    return (record) => judge({ record, policy: policy.current(), identity, directory });
  };
  const lookingAhead =
    (judge: Judge): Judge =>
    (record) => {
      lookAhead(directory, record);
      return judge(record);
    };
  const rulesAlsoAt = (stage: "intake" | "files") => all.filter(({ alsoAt }) => alsoAt === stage);
  const uncounted = all.filter(({ counts }) => counts !== true);
  return {
    atIntake: judging("intake", rulesAlsoAt("intake")),
    inFlow: lookingAhead(judging("flow", all)),
    onRetry: lookingAhead(judging("flow", uncounted)),
    ofFiles: judging("files", rulesAlsoAt("files")),
    ofCommand: lookingAhead(judging("command", all)),
  };
}

/** Reports a judgment: the requester and the place by id, the rules that ran, and the last verdict. Never the message's content. */
function reportJudgment(
  emit: PoliciesOptions["emit"],
  { record, stage }: { readonly record: JudgedRecord; readonly stage: JudgmentStage },
  { denial, verdicts, durationMs: duration_ms, cause: failure }: Judgment,
): void {
  const { correlation_id, request_id, traceparent, kind: kind_of_record, ...who } = record;
  const { user_id, channel, thread_ts, teams, author_teams } = who;
  const ids = { correlation_id, request_id, traceparent, user_id, channel, thread_ts, teams, author_teams };
  const { rule, verdict: last_verdict = "allowed" } = verdicts.at(-1) ?? {};
  const allowed = stage === "intake" ? "policy_passed" : "policy_allowed";
  emit(denial === undefined ? allowed : "policy_denied", {
    ...ids,
    kind_of_record,
    stage,
    duration_ms,
    last_verdict,
    rules: Object.fromEntries(verdicts.map(({ rule: name, durationMs }) => [name, Math.round(durationMs * 10) / 10])),
    ...(denial && { rule, reason: denial.reason, retry_after_ms: denial.retryAfterMs, failure }),
  });
}
