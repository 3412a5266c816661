import { createCounter, createGauge } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { recordOutcomes, type InboxObserver, type ObservedRecord } from "../../inbox/inbox-work.ts";
import type { Inbox, InboxLoad } from "../../inbox/inbox.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Measures the inbox, for all processes, and the records that this process leases. */
export function observeInbox(
  { logger, registry }: Pick<ObserverDeps, "logger" | "registry">,
  inbox: Pick<Inbox, "load">,
): InboxObserver {
  const attempts = createCounter(registry, {
    name: "inbox_attempts_total",
    labels: { kind: ["ask", "stop", "turned_away", "notice", "failed_run"], outcome: recordOutcomes },
  });
  // Both gauges of one scrape share one query.
  let reading: Promise<InboxLoad> | undefined;
  const load = (): Promise<InboxLoad> => (reading ??= inbox.load().finally(() => (reading = undefined)));
  createGauge(registry, {
    name: "inbox_questions",
    labels: { state: ["waiting", "in_work", "parked"] },
    read: async () => {
      const { waiting, inWork, parked } = await load();
      return [
        { labels: { state: "waiting" }, value: waiting },
        { labels: { state: "in_work" }, value: inWork },
        { labels: { state: "parked" }, value: parked },
      ];
    },
  });
  createGauge(registry, {
    name: "inbox_oldest_age_seconds",
    labels: {},
    read: async () => [{ labels: {}, value: (await load()).oldestMs / 1_000 }],
  });

  return {
    unavailable: (error) => logger.error("inbox_failed", { ...errorFields(error), cause: error }),
    available: (outageMs) => logger.info("inbox_back", { duration_ms: outageMs }),
    ended: (leased, outcome, { error, waitMs, why }) => {
      attempts.add({ kind: leased.record.kind, outcome });
      const failed = error === undefined ? {} : { ...errorFields(error), cause: error };
      const fields = { ...idsOf(leased), kind_of_record: leased.record.kind, attempt: leased.attempt, ...failed };
      if (outcome === "lost") logger.warn("lease_lost", fields);
      if (outcome === "retried") logger.warn("question_retried", { ...fields, wait_ms: waitMs });
      if (outcome === "handed_back") logger.info("question_released", fields);
      if (outcome === "parked") logger.error("question_parked", { ...fields, why });
      if (outcome === "given_up") logger.error("answer_lost", { ...fields, why: "every attempt failed" });
      if (outcome === "unanswerable") logger.error("answer_lost", { ...fields, operation: "answer_question" });
    },
  };
}

function idsOf({ record }: ObservedRecord): Record<string, unknown> {
  const { correlation_id, request_id, traceparent } = record;
  return { correlation_id, request_id, ...traceFields(traceparent) };
}
