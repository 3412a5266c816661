import { createCounter, createHistogram } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { EdgeObserver } from "../../edge/edge-observer.ts";
import { type EventVerdict, eventVerdicts } from "../../edge/events/event-intake.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";
import { observeFiles, observeInstalls } from "./observe-routes.ts";

/** Turns requests and events into log lines, metrics and spans: ids and verdicts, never a message's content. */
export function observeEdge(deps: ObserverDeps): EdgeObserver {
  return {
    ...observeAcks(deps),
    ...observeEvents(deps),
    ...observeFiles(deps),
    ...observeInstalls(deps),
  };
}

function observeAcks({ registry }: ObserverDeps): Pick<EdgeObserver, "requestAnswered"> {
  const ack = createHistogram(registry, "slack_ack_duration_seconds");
  return { requestAnswered: (durationMs) => ack.observe({}, durationMs / 1_000) };
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
  const events = createCounter(registry, "slack_events_total", { verdict: [...eventVerdicts, "not_stored"] });
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
