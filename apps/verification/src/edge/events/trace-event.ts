import type { Emit } from "@crosszone/service-kit";
import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { errorFields } from "../../tracing/traces.ts";
import type { EventDelivery } from "./bolt-app.ts";
import type { EventVerdict, IntakeResult } from "./event-intake.ts";
import type { SlackEnvelope } from "./slack-event.ts";

/** An event as it was delivered. */
export interface DeliveredEvent {
  readonly envelope: SlackEnvelope;
  readonly delivery: EventDelivery;
}

/**
 * Runs the receipt of an event in a span, whose trace context the record carries through the inbox.
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
export function traceEvent(
  tracer: Tracer,
  { envelope: { event_id, event }, delivery: { retry, traceparent } }: DeliveredEvent,
  receive: (traceparent: string | undefined) => Promise<IntakeResult>,
): Promise<IntakeResult> {
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
  const received = async (): Promise<IntakeResult> => {
    const result = await receive(span.traceparent);
    const { verdict, record } = result;
    span.set({ "crosszone.verdict": verdict });
    if (verdict === "accepted") span.set({ "messaging.message.conversation_id": record?.correlation_id });
    return result;
  };
  return inSpan(span, received, errorFields);
}

const eventOf: Partial<Record<EventVerdict, VerificationEvent>> = {
  accepted: "event_accepted",
  duplicate: "event_duplicate",
  foreign_team: "event_refused",
  foreign_author: "event_refused",
  not_installed: "event_refused",
  wrong_app: "event_refused",
};

/** Reports the verdict about an event: ids, never a message's content. */
export function reportEvent(
  emit: Emit<VerificationEvent>,
  { envelope, delivery: { retry, requestId, traceparent } }: DeliveredEvent,
  { verdict, record }: IntakeResult,
): void {
  const { event, event_id, team_id, api_app_id } = envelope;
  const name = eventOf[verdict] ?? "event_ignored";
  const { correlation_id, request_id } = record ?? {};
  emit(name, {
    ...(verdict === "accepted" && { correlation_id, request_id }),
    verdict,
    event_id,
    event_type: event.type,
    retry,
    channel: event["channel"],
    http_request_id: requestId,
    traceparent: record?.traceparent ?? traceparent,
    ...(name === "event_refused" && { team_id, api_app_id }),
  });
}
