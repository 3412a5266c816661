import { withTimeout } from "@crosszone/service-kit/timing";
import type { Denial } from "./denials.ts";
import type { NamedRule, PolicySubject, Verdict } from "./policy-rule.ts";

/** The verdict of one rule; `failed` means that it threw or timed out, which denies. */
export interface RuleVerdict {
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

export interface PipelineOptions {
  readonly rules: readonly NamedRule[];
  /** Timeout of one rule, milliseconds. */
  readonly timeoutMs: number;
  /** Called for each judgment. */
  readonly onJudged: (subject: PolicySubject, judgment: Judgment) => void;
}

/** Runs the rules in order until one denies. Never rejects: a rule that throws or times out denies. */
export function createPipeline({
  rules,
  timeoutMs,
  onJudged,
}: PipelineOptions): (subject: PolicySubject) => Promise<Judgment> {
  return async (subject) => {
    const startedAt = performance.now();
    const verdicts: RuleVerdict[] = [];
    let denied: Pick<Judgment, "denial" | "cause"> = {};
    for (const rule of rules) {
      const ruleStartedAt = performance.now();
      const answer = await judgeBy(rule, subject, timeoutMs);
      const verdict = answer.denial === undefined ? "allowed" : "cause" in answer ? "failed" : "denied";
      verdicts.push({ rule: rule.name, verdict, durationMs: performance.now() - ruleStartedAt });
      if (answer.denial === undefined) continue;
      denied = answer;
      break;
    }
    const judgment = { ...denied, verdicts, durationMs: performance.now() - startedAt };
    onJudged(subject, judgment);
    return judgment;
  };
}

async function judgeBy(
  rule: NamedRule,
  subject: PolicySubject,
  timeoutMs: number,
): Promise<Pick<Judgment, "denial" | "cause">> {
  try {
    const verdict: Verdict = await withTimeout(timeoutMs, (signal) => rule.judge(subject, signal));
    return verdict === "allow" ? {} : { denial: verdict };
  } catch (cause) {
    return { denial: { reason: "check_failed" }, cause };
  }
}
