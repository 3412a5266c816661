import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Judgement } from "../../policy/pipeline.ts";

/** Runs a policy judgement in a span; the Slack calls of its rules are its children. A failed rule is an error, a denial is not. */
export function traceJudgement<Subject>(
  tracer: Tracer,
  judge: (subject: Subject) => Promise<Judgement>,
): (subject: Subject) => Promise<Judgement> {
  return async (subject) => {
    const span = tracer.start("judge policy", { kind: "internal" });
    const judgement = await span.run(() => judge(subject));
    const last = judgement.verdicts.at(-1);
    const { denial } = judgement;
    span.end({
      error: last?.verdict === "failed" ? "policy_failed" : undefined,
      attributes: {
        "crosszone.policy.verdict": denial === undefined ? "allowed" : "denied",
        "crosszone.policy.reason": denial?.reason,
        "crosszone.policy.rule": denial && last?.rule,
      },
    });
    return judgement;
  };
}
