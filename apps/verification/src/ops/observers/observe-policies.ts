import { createCounter, createHistogram } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { InboxRecord } from "../../inbox/inbox.ts";
import { judgementStages, type JudgementStage } from "../../policy/create-policies.ts";
import type { Judgement } from "../../policy/pipeline.ts";
import type { JudgedRecord } from "../../policy/judged-record.ts";
import type { PolicySubject } from "../../policy/policy-rule.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

export interface PolicyObserver {
  readonly judged: (stage: JudgementStage, subject: PolicySubject, judgement: Judgement) => void;
  readonly noticeLost: (error: unknown, record: InboxRecord) => void;
}

/**
 * Logs and counts each judgement: the requester and the place by id, the rules that ran, and the last verdict. Never the message's content.
 */
export function observePolicies({ logger, registry }: Pick<ObserverDeps, "logger" | "registry">): PolicyObserver {
  const verdicts = createCounter(registry, {
    name: "policy_verdicts_total",
    help: "Verdicts of the policy's rules",
    // Rules are defined in the app, and few.
    labels: { rule: () => true, verdict: ["allowed", "denied", "failed"] },
  });
  const duration = createHistogram(registry, {
    name: "policy_duration_seconds",
    help: "Duration of a judgement by all rules, in seconds",
    labels: { stage: judgementStages },
  });
  const idsOf = (record: JudgedRecord): Record<string, unknown> => {
    const { correlation_id, request_id, kind, user_id, channel, thread_ts, teams, author_teams, traceparent } = record;
    const ids = { correlation_id, request_id, ...traceFields(traceparent) };
    return { ...ids, kind_of_record: kind, user_id, channel, thread_ts, teams, author_teams };
  };

  return {
    judged: (stage, { record }, { denial, verdicts: asked, durationMs, cause }) => {
      for (const { rule, verdict } of asked) verdicts.add({ rule, verdict });
      duration.observe({ stage }, durationMs / 1_000);
      const last = asked.at(-1);
      const fields = {
        ...idsOf(record),
        stage,
        duration_ms: tenths(durationMs),
        rules: Object.fromEntries(asked.map(({ rule, durationMs: ms }) => [rule, tenths(ms)])),
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
    noticeLost: (error, record) =>
      logger.warn("notice_lost", {
        correlation_id: record.correlation_id,
        request_id: record.request_id,
        operation: "chat.postEphemeral",
        ...errorFields(error),
        cause: error,
      }),
  };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
