import { createCounter, createGauge, createRedMetrics, type Emit } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { EdgeObserver } from "../../edge/edge-observer.ts";
import { type InboxObserver, type ObservedRecord, recordOutcomes, type TraceWork } from "../../inbox/inbox-work.ts";
import type { Inbox, InboxLoad } from "../../inbox/inbox.ts";
import type { PolicyObserver } from "../../policy/policies.ts";
import { slackMethods, type SlackObserver } from "../../slack/observed-slack.ts";
import type { ObserveZoneCall } from "../../zone-link/observed-zone.ts";
import type { ObserverDeps } from "./observer-deps.ts";
import { createAppEmit, createTraceWork } from "./create-emit.ts";
import { observeEdge } from "./observe-edge.ts";
import { observePolicy } from "./observe-policy.ts";
import { observeZoneLink } from "./observe-zone-link.ts";
import { errorFields, slackErrorKinds } from "./error-fields.ts";

/**
 * Makes the observer of Slack calls: it counts and times each call and gives it a span. Failed calls are logged at debug level, because the
 * caller logs what the failure means.
 */
function observeSlack({ logger, registry, tracer }: ObserverDeps): SlackObserver {
  const calls = createRedMetrics(registry, "slack_api", {
    labels: { method: Object.values(slackMethods) },
    outcomes: ["success", ...slackErrorKinds],
  });
  return {
    called: async (method, call) => {
      const attributes = { "rpc.system.name": "slack", "rpc.method": method };
      const span = tracer.start(method, { kind: "client", attributes });
      const startedAt = performance.now();
      const record = (outcome: string): void =>
        calls.record({ labels: { method }, outcome, durationMs: performance.now() - startedAt });
      try {
        const result = await call();
        record("success");
        span.end();
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        record(kind);
        span.end({ error: kind, attributes: { "rpc.status_code": code === undefined ? undefined : String(code) } });
        logger.debug("slack_call_failed", { operation: method, kind, code });
        throw error;
      }
    },
  };
}

/** Measures the inbox, for all processes, and the records that this process leases. */
export function observeInbox(
  { logger, registry }: Pick<ObserverDeps, "logger" | "registry">,
  inbox: Pick<Inbox, "load">,
): InboxObserver {
  const attempts = createCounter(registry, "inbox_attempts_total", {
    kind: ["ask", "stop", "turned_away", "notice", "failed_run"],
    outcome: recordOutcomes,
  });
  // Both gauges of one scrape share one query.
  let reading: Promise<InboxLoad> | undefined;
  const load = (): Promise<InboxLoad> => (reading ??= inbox.load().finally(() => (reading = undefined)));
  createGauge(registry, "inbox_questions", {
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
  createGauge(registry, "inbox_oldest_age_seconds", async () => (await load()).oldestMs / 1_000);

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

/** The observer of each room. */
export interface Observers {
  readonly edge: EdgeObserver;
  readonly emit: Emit<VerificationEvent>;
  readonly traceWork: TraceWork;
  readonly policy: PolicyObserver;
  readonly inbox: InboxObserver;
  readonly zoneLink: ObserveZoneCall;
  readonly slack: SlackObserver;
}

export interface ObserversOptions extends ObserverDeps {
  /** Read when metrics are scraped. */
  readonly inbox: Pick<Inbox, "load">;
  readonly running: { readonly size: number };
}

/** Makes every observer. Their metrics can be registered once in a registry. */
export function createObservers(options: ObserversOptions): Observers {
  return {
    edge: observeEdge(options),
    emit: createAppEmit(options, options.running),
    traceWork: createTraceWork(options),
    policy: observePolicy(options),
    inbox: observeInbox(options, options.inbox),
    zoneLink: observeZoneLink(options),
    slack: observeSlack(options),
  };
}
