import { within } from "@crosszone/service-kit";
import type { Denial } from "./denial.ts";
import type { PolicyRule, PolicySubject, Verdict } from "./policy-rule.ts";

/** What became of one rule: `failed` when it threw or took too long, which denies. */
export interface RuleVerdict {
  readonly rule: string;
  readonly verdict: "allowed" | "denied" | "failed";
  readonly durationMs: number;
}

export interface Judgement {
  /** Absent when everything was allowed. */
  readonly denial?: Denial;
  /** The rules that were asked, in order; the last one is the one that denied. */
  readonly verdicts: readonly RuleVerdict[];
  readonly durationMs: number;
  /** What a failed rule threw. */
  readonly cause?: unknown;
}

export interface PipelineOptions {
  readonly rules: readonly PolicyRule[];
  /** How long one rule may take, milliseconds. */
  readonly timeoutMs: number;
  /** Told of every judgement. */
  readonly onJudged: (subject: PolicySubject, judgement: Judgement) => void;
}

/** Asks the rules in order until one denies. It never rejects: what throws or takes too long denies. */
export function createPipeline({
  rules,
  timeoutMs,
  onJudged,
}: PipelineOptions): (subject: PolicySubject) => Promise<Judgement> {
  return async (subject) => {
    const startedAt = performance.now();
    const verdicts: RuleVerdict[] = [];
    let denied: Pick<Judgement, "denial" | "cause"> = {};
    for (const rule of rules) {
      const askedAt = performance.now();
      const answer = await ask(rule, subject, timeoutMs);
      const verdict = answer.denial === undefined ? "allowed" : "cause" in answer ? "failed" : "denied";
      verdicts.push({ rule: rule.name, verdict, durationMs: performance.now() - askedAt });
      if (answer.denial === undefined) continue;
      denied = answer;
      break;
    }
    const judgement = { ...denied, verdicts, durationMs: performance.now() - startedAt };
    onJudged(subject, judgement);
    return judgement;
  };
}

async function ask(
  rule: PolicyRule,
  subject: PolicySubject,
  timeoutMs: number,
): Promise<Pick<Judgement, "denial" | "cause">> {
  try {
    const verdict: Verdict = await within(timeoutMs, (signal) => rule.judge(subject, signal));
    return verdict === "allow" ? {} : { denial: verdict };
  } catch (cause) {
    return { denial: { reason: "check_failed" }, cause };
  }
}
