import { badRequestStatuses, createCounter, createHistogram, type BadRequest } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { installPath } from "../../edge/install/install-paths.ts";
import { slackRefusals, type SlackRefusal } from "../../edge/http/slack-route.ts";
import type { StopRecord } from "../../inbox/inbox.ts";
import type { SlackIntake } from "../../deps.ts";
import type { VerificationEvent } from "./log-events.ts";
import type { EventDelivery } from "../../edge/events/bolt-app.ts";
import { adviceOn } from "./startup-advice.ts";
import type { SlackIdentity } from "../../slack/slack-api.ts";
import { eventVerdicts, type EventVerdict, type IntakeResult } from "../../edge/events/event-intake.ts";
import type { SlackEnvelope } from "../../edge/events/slack-event.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Receives the events of incoming requests and Slack events. */
export interface EdgeObserver {
  /** Slack has identified this app; events can arrive. */
  readonly identified: (identity: SlackIdentity, mode: SlackIntake["mode"]) => void;
  /** Any allowed workspace can install the app; events can arrive. */
  readonly installOpen: (redirectUri: string, mode: SlackIntake["mode"]) => void;
  /** Slack refuses to return the bot's app id, so events of any app are accepted. */
  readonly appUnknown: (error: unknown, identity: SlackIdentity) => void;
  readonly notIdentified: (error: unknown, attempt: number) => void;
  readonly requestRefused: (refusal: {
    readonly reason: SlackRefusal;
    readonly status: number;
    readonly requestId: string;
  }) => void;
  readonly requestAnswered: (durationMs: number) => void;
  readonly eventJudged: (envelope: SlackEnvelope, result: IntakeResult, delivery: EventDelivery) => void;
  readonly eventNotStored: (error: unknown) => void;
  readonly stopRequested: (record: StopRecord, stopped: number) => void;
  /** The server rejected bytes that are not valid HTTP, or a client that was too slow. */
  readonly httpBroken: (error: BadRequest) => void;
  readonly httpFailed: (error: unknown, requestId: string) => void;
}

const eventOf: Partial<Record<EventVerdict, VerificationEvent>> = {
  accepted: "event_accepted",
  duplicate: "event_duplicate",
  foreign_team: "event_refused",
  foreign_author: "event_refused",
  not_installed: "event_refused",
  wrong_app: "event_refused",
};

/** Turns requests and events into log lines and metrics: ids and verdicts, never a message's content. */
export function observeEdge({ logger, registry }: Pick<ObserverDeps, "logger" | "registry">): EdgeObserver {
  const events = createCounter(registry, {
    name: "slack_events_total",
    help: "Events from Slack, by verdict",
    labels: { verdict: [...eventVerdicts, "not_stored"] },
  });
  const refused = createCounter(registry, {
    name: "slack_requests_refused_total",
    help: "Requests to the events URL that were refused, by reason",
    labels: { reason: slackRefusals },
  });
  const broken = createCounter(registry, {
    name: "http_requests_refused_total",
    help: "Invalid HTTP requests, by reason",
    labels: { reason: badRequestStatuses.map((status) => `http_${status}`) },
  });
  const ack = createHistogram(registry, {
    name: "slack_ack_duration_seconds",
    help: "Time until Slack's event is acknowledged, in seconds",
    labels: {},
  });

  return {
    identified: (identity, mode) => logger.info("slack_identified", { ...identity, mode }),
    installOpen: (redirectUri, mode) =>
      logger.info("install_open", { url: new URL(installPath, redirectUri).href, mode }),
    appUnknown: (error, { team_id }) =>
      logger.warn("slack_app_unknown", {
        team_id,
        ...errorFields(error),
        advice:
          "Set SLACK_APP_ID, or give the app the scope users:read. Until then, events of any app with this signing secret are accepted.",
        cause: error,
      }),
    notIdentified: (error, attempt) =>
      logger.error("slack_not_identified", { attempt, ...errorFields(error), advice: adviceOn(error), cause: error }),
    requestRefused: ({ reason, status, requestId }) => {
      refused.add({ reason });
      logger.warn("slack_request_refused", { reason, status, http_request_id: requestId });
    },
    requestAnswered: (durationMs) => ack.observe({}, durationMs / 1_000),
    eventJudged: ({ event, event_id, team_id, api_app_id }, { verdict, record }, { retry, requestId, traceparent }) => {
      events.add({ verdict });
      const name = eventOf[verdict] ?? "event_ignored";
      const level = name === "event_refused" ? "warn" : name === "event_accepted" ? "info" : "debug";
      logger[level](name, {
        ...(record &&
          verdict === "accepted" && { correlation_id: record.correlation_id, request_id: record.request_id }),
        verdict,
        event_id,
        event_type: event.type,
        retry,
        channel: event["channel"],
        http_request_id: requestId,
        ...traceFields(record?.traceparent ?? traceparent),
        ...(name === "event_refused" && { team_id, api_app_id }),
      });
    },
    eventNotStored: (error) => {
      events.add({ verdict: "not_stored" });
      logger.error("event_not_stored", { operation: "accept_event", ...errorFields(error), cause: error });
    },
    stopRequested: ({ correlation_id, request_id, channel, thread_ts, user_id, traceparent }, stopped) => {
      const ids = { correlation_id, request_id, ...traceFields(traceparent) };
      logger.info("stop_requested", { ...ids, channel, thread_ts, user_id, stopped });
    },
    httpBroken: ({ status, code, requestId }) => {
      const reason = `http_${status}`;
      broken.add({ reason });
      logger.warn("http_refused", { status, reason, parser: code, http_request_id: requestId });
    },
    httpFailed: (error, requestId) =>
      logger.error("http_failed", { ...errorFields(error), http_request_id: requestId, cause: error }),
  };
}
