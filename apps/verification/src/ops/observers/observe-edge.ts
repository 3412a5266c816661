import { badRequestStatuses, createCounter, createHistogram } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { EdgeObserver } from "../../edge/edge-observer.ts";
import { type EventVerdict, eventVerdicts } from "../../edge/events/event-intake.ts";
import { slackRefusals } from "../../edge/http/slack-route.ts";
import { installPath } from "../../edge/install/install-pages.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";
import { observeFiles, observeInstalls } from "./observe-routes.ts";

/** The variable that each startup call depends on, and its required value. */
const needs: ReadonlyMap<string, string> = new Map([
  ["auth.test", "SLACK_BOT_TOKEN: a bot token of the installed app"],
  [
    "apps.connections.open",
    "SLACK_APP_TOKEN: an app-level token with connections:write, and Socket Mode on in the app",
  ],
]);

/** Returns advice for an operator about a failure at startup. */
function adviceOn(error: unknown): string {
  if (!(error instanceof SlackCallError) || error.failure !== "refused")
    return "no action yet: the call is retried; if it keeps failing, check that Slack and SLACK_API_URL are reachable";
  const need = needs.get(error.method) ?? "the tokens of the app";
  return `Slack refuses this permanently with ${error.code}: check ${need}; then restart`;
}

/** Turns requests and events into log lines, metrics and spans: ids and verdicts, never a message's content. */
export function observeEdge(deps: ObserverDeps): EdgeObserver {
  return {
    ...observeStart(deps),
    ...observeRequests(deps),
    ...observeEvents(deps),
    ...observeFiles(deps),
    ...observeInstalls(deps),
  };
}

function observeStart({
  logger,
}: ObserverDeps): Pick<EdgeObserver, "identified" | "installOpen" | "notIdentified" | "sdkRemarked"> {
  return {
    identified: (identity, mode) => logger.info("slack_identified", { ...identity, mode }),
    installOpen: (redirectUri, mode) =>
      logger.info("install_open", { url: new URL(installPath, redirectUri).href, mode }),
    notIdentified: (error, attempt) =>
      logger.error("slack_not_identified", { attempt, ...errorFields(error), advice: adviceOn(error), cause: error }),
    sdkRemarked: (severity, text) => logger.info("slack_sdk_remark", { severity, text }),
  };
}

function observeRequests({
  logger,
  registry,
}: ObserverDeps): Pick<EdgeObserver, "requestRefused" | "requestAnswered" | "httpBroken" | "httpFailed"> {
  const refused = createCounter(registry, {
    name: "slack_requests_refused_total",
    labels: { reason: slackRefusals },
  });
  const broken = createCounter(registry, {
    name: "http_requests_refused_total",
    labels: { reason: badRequestStatuses.map((status) => `http_${status}`) },
  });
  const ack = createHistogram(registry, {
    name: "slack_ack_duration_seconds",
    labels: {},
  });
  return {
    requestRefused: ({ reason, status, requestId }) => {
      refused.add({ reason });
      logger.warn("slack_request_refused", { reason, status, http_request_id: requestId });
    },
    requestAnswered: (durationMs) => ack.observe({}, durationMs / 1_000),
    httpBroken: ({ status, code, requestId }) => {
      const reason = `http_${status}`;
      broken.add({ reason });
      logger.warn("http_refused", { status, reason, parser: code, http_request_id: requestId });
    },
    httpFailed: (error, requestId) =>
      logger.error("http_failed", { ...errorFields(error), http_request_id: requestId, cause: error }),
  };
}

const eventOf: Partial<Record<EventVerdict, VerificationEvent>> = {
  accepted: "event_accepted",
  duplicate: "event_duplicate",
  foreign_team: "event_refused",
  foreign_author: "event_refused",
  not_installed: "event_refused",
  wrong_app: "event_refused",
};

function observeEvents({
  logger,
  registry,
  tracer,
}: ObserverDeps): Pick<EdgeObserver, "traceEvent" | "eventJudged" | "eventNotStored"> {
  const events = createCounter(registry, {
    name: "slack_events_total",
    labels: { verdict: [...eventVerdicts, "not_stored"] },
  });
  return {
    // https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
    traceEvent: ({ event_id, event }, { retry, traceparent }, receive) => {
      const span = tracer.start("receive slack.events", {
        kind: "consumer",
        traceparent,
        attributes: {
          "messaging.system.name": "slack",
          "messaging.destination.name": "slack.events",
          "messaging.operation.name": "receive",
          "messaging.operation.type": "receive",
          "messaging.message.id": event_id,
          "crosszone.slack.event_type": event.type,
          "crosszone.slack.retry": retry,
        },
      });
      const received = async (): ReturnType<typeof receive> => {
        const result = await receive(span.traceparent);
        const { verdict, record } = result;
        span.set({ "crosszone.verdict": verdict });
        if (verdict === "accepted") span.set({ "messaging.message.conversation_id": record?.correlation_id });
        return result;
      };
      return inSpan(span, received, errorFields);
    },
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
  };
}
