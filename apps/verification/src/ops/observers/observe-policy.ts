import { createCounter, createHistogram } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { judgmentStages, type PolicyObserver } from "../../policy/policies.ts";
import type { JudgedRecord } from "../../policy/policy-rule.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/**
 * Logs, counts and traces each judgment: the requester and the place by id, the rules that ran, and the last verdict. Never the message's
 * content.
 */
export function observePolicy({ logger, registry, tracer }: ObserverDeps): PolicyObserver {
  // Rules are defined in the app, and few.
  const verdicts = createCounter(registry, "policy_verdicts_total", {
    rule: () => true,
    verdict: ["allowed", "denied", "failed"],
  });
  const duration = createHistogram(registry, "policy_duration_seconds", { stage: judgmentStages });

  return {
    judged: (stage, { record }, { denial, verdicts: judged, durationMs, cause }) => {
      for (const { rule, verdict } of judged) verdicts.add({ rule, verdict });
      duration.observe({ stage }, durationMs / 1_000);
      const last = judged.at(-1);
      const fields = {
        ...idsOf(record),
        stage,
        duration_ms: tenths(durationMs),
        rules: Object.fromEntries(judged.map(({ rule, durationMs: ms }) => [rule, tenths(ms)])),
      };
      if (denial !== undefined)
        logger[last?.verdict === "failed" ? "warn" : "info"]("policy_denied", {
          ...fields,
          rule: last?.rule,
          reason: denial.reason,
          ...(denial.retryAfterMs !== undefined && { retry_after_ms: denial.retryAfterMs }),
          ...(cause !== undefined && { ...errorFields(cause), cause }),
        });
      // The intake verdict is repeated when all rules run, so it is logged only then.
      else if (stage !== "intake") logger.info("policy_allowed", fields);
    },
    // A failed rule is an error, a denial is not.
    traceJudgment: async (judge) => {
      const span = tracer.start("judge policy", { kind: "internal" });
      const judgment = await span.run(judge);
      const last = judgment.verdicts.at(-1);
      const { denial } = judgment;
      span.end({
        error: last?.verdict === "failed" ? "policy_failed" : undefined,
        attributes: {
          "crosszone.policy.verdict": denial === undefined ? "allowed" : "denied",
          "crosszone.policy.reason": denial?.reason,
          "crosszone.policy.rule": denial && last?.rule,
        },
      });
      return judgment;
    },
  };
}

function idsOf(record: JudgedRecord): Record<string, unknown> {
  const { correlation_id, request_id, kind, user_id, channel, thread_ts, teams, author_teams, traceparent } = record;
  const ids = { correlation_id, request_id, ...traceFields(traceparent) };
  return { ...ids, kind_of_record: kind, user_id, channel, thread_ts, teams, author_teams };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
