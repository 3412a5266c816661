import { hash, randomUUID } from "node:crypto";
import { createActLimit, type NewAuditEvent, type RecordAct } from "@crosszone/audit";
import type { Emit } from "@crosszone/service-kit";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { InboxRecord, Question } from "../inbox/records.ts";
import type { Limits } from "../limits.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { Denial } from "./denials.ts";
import {
  type AccessPolicy,
  type CommandRecord,
  type JudgedRecord,
  makeRules,
  type NamedRule,
  type PolicySource,
  type PolicySubject,
  type PolicyVerdict,
} from "./rules.ts";
import type { SlackDirectory } from "./slack-directory.ts";

/** Returns the event of an act in Slack that was rejected now. */
export const rejectedAct = ({
  id = randomUUID(),
  user_id = "?",
  team,
  isBot = false,
  ...act
}: Pick<NewAuditEvent, "action" | "target" | "correlation_id" | "policy" | "details"> & {
  readonly id?: string | undefined;
  readonly user_id: string | undefined;
  /** The person's own team. */
  readonly team: string | undefined;
  readonly isBot?: boolean;
}): NewAuditEvent => ({
  ...act,
  id,
  outcome: "rejected",
  actor: { type: isBot ? "bot" : "person", id: user_id, team },
  surface: "slack",
  at: Date.now(),
});

/** Returns the event of a message or command that the policy rejected. Two events with one claim are the same. */
function rejectedQuestion(
  { kind, user_id, author_teams, team_id, correlation_id }: JudgedRecord,
  { rule, reason, claim }: { readonly rule: string; readonly reason: string; readonly claim: string | undefined },
  policy: AccessPolicy,
): NewAuditEvent {
  return rejectedAct({
    id: claim && hash("sha256", claim),
    action: "question.reject",
    user_id,
    team: author_teams[0] ?? team_id,
    isBot: reason === "bot",
    target: { type: kind === "command" ? kind : "message", id: correlation_id },
    correlation_id,
    policy: policy.digest,
    details: { rule, reason, kind },
  });
}

/**
 * Where a judgment happens: before Slack's event is acknowledged, while a worker processes it, when its files are known, or for a slash
 * command.
 */
type JudgmentStage = "intake" | "flow" | "files" | "command";

/** The verdict of one rule; `failed` means that it threw or timed out, which denies. */
interface RuleVerdict {
  readonly rule: string;
  readonly verdict: "allowed" | "denied" | "failed";
  readonly durationMs: number;
}

export interface Judgment {
  /** Undefined when every rule allowed the record. */
  readonly denial?: Denial;
  /** The rules that ran, in order; a denial comes from the last one. */
  readonly verdicts: readonly RuleVerdict[];
  readonly durationMs: number;
  /** The error of a failed rule. */
  readonly cause?: unknown;
}

/** Judges a record at each stage, with what is known then. */
export type Policies = Readonly<{
  /** Applies the rules that need only the event; makes no calls. */
  atIntake: (record: InboxRecord) => Promise<Judgment>;
  inFlow: (record: InboxRecord) => Promise<Judgment>;
  /** Applies every rule except the rate limits, for a record that they have already counted. */
  onRetry: (record: InboxRecord) => Promise<Judgment>;
  ofFiles: (record: Question) => Promise<Judgment>;
  /** Applies every rule to a slash command, which counts like a message. */
  ofCommand: (record: CommandRecord) => Promise<Judgment>;
}>;

type Judge = (record: JudgedRecord) => Promise<Judgment>;

/** Added to the lookup timeout, so that a slow lookup fails with its own error. */
const ruleMarginMs = 500;

/** Makes the policies of one workspace. */
export function createPolicies(options: {
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly identity: SlackIdentity;
  readonly directory: SlackDirectory;
  /** True if a team must be listed even though it installed the app, because anyone can reach the install page. */
  readonly installersAreListed?: boolean;
  readonly emit: Emit<VerificationEvent>;
  /** Receives each denial before the person reads it. If it rejects, the judgment rejects. */
  readonly recordAct: RecordAct;
}): Policies {
  const { policy, limits, identity, directory, installersAreListed = false, emit, recordAct } = options;
  const all = makeRules(limits).filter(({ onlyInstalled }) => installersAreListed || onlyInstalled !== true);

  const isWithin = createActLimit();
  const timeoutMs = limits.SLACK_LOOKUP_TIMEOUT_MS + ruleMarginMs;
  const judging =
    (stage: JudgmentStage, rules: readonly NamedRule[], isRetry = false): Judge =>
    async (record) => {
      const inForce = policy.current();
      const judgment = await judgeBy(rules, { record, policy: inForce, identity, directory }, timeoutMs);
      reportJudgment(emit, { record, stage }, judgment);
      const { reason } = judgment.denial ?? {};
      // A record of a later attempt waits until it can be checked.
      if (reason === undefined || (isRetry && reason === "check_failed")) return judgment;
      // Slack sends some messages as two events, and an event again.
      const claim = stage === "intake" && "claims" in record ? record.claims.at(-1) : undefined;
      const denied = { rule: judgment.verdicts.at(-1)?.rule ?? "", reason, claim };
      if (stage !== "intake" || isWithin("unknown")) await recordAct(rejectedQuestion(record, denied, inForce));
      return judgment;
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
    onRetry: lookingAhead(judging("flow", uncounted, true)),
    ofFiles: judging("files", rulesAlsoAt("files")),
    ofCommand: lookingAhead(judging("command", all)),
  };
}

/** Starts the lookups that the rules need for a record, so that they run concurrently. */
export function lookAhead(directory: SlackDirectory, { teams, user_id, channel }: JudgedRecord): void {
  const ahead = [...teams.map(directory.team), directory.user(user_id), directory.channel(channel)];
  // The rule that needs a lookup handles its failure.
  for (const lookup of ahead) lookup.catch(() => undefined);
}

/** Runs the rules in order until one denies. Never rejects: a rule that throws or times out denies. */
export async function judgeBy(
  rules: readonly NamedRule[],
  subject: PolicySubject,
  timeoutMs: number,
): Promise<Judgment> {
  const startedAt = performance.now();
  const verdicts: RuleVerdict[] = [];
  const judged = (rest: { readonly denial?: Denial; readonly cause?: unknown } = {}): Judgment => {
    return { ...rest, verdicts, durationMs: performance.now() - startedAt };
  };
  for (const { name: rule, judge } of rules) {
    const ruleStartedAt = performance.now();
    const passed = (verdict: RuleVerdict["verdict"]): void =>
      void verdicts.push({ rule, verdict, durationMs: performance.now() - ruleStartedAt });
    try {
      const denial: PolicyVerdict = await withTimeout(timeoutMs, (signal) => judge(subject, signal));
      passed(denial === "allow" ? "allowed" : "denied");
      if (denial !== "allow") return judged({ denial });
    } catch (cause) {
      passed("failed");
      return judged({ denial: { reason: "check_failed" }, cause });
    }
  }
  return judged();
}

/** Reports a judgment: the requester and the place by id, the rules that ran, and the last verdict. Never the message's content. */
function reportJudgment(
  emit: Emit<VerificationEvent>,
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
    rule: denial && rule,
    reason: denial?.reason,
    retry_after_ms: denial?.retryAfterMs,
    failure,
  });
}
