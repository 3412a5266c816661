import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { EventDelivery } from "../../edge/events/bolt-app.ts";
import type { IntakeResult } from "../../edge/events/event-intake.ts";
import type { SlackEnvelope } from "../../edge/events/slack-event.ts";
import { errorFields } from "./error-fields.ts";

type Judge = (envelope: SlackEnvelope, traceparent?: string) => Promise<IntakeResult>;

/**
 * Receives an event in a span, which the resulting record carries through the inbox.
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
export function traceSlackEvent(
  tracer: Tracer,
  judge: Judge,
): (envelope: SlackEnvelope, delivery: EventDelivery) => Promise<IntakeResult> {
  return async (envelope, { retry, traceparent }) => {
    const span = tracer.start("receive slack.events", {
      kind: "consumer",
      traceparent,
      attributes: {
        "messaging.system.name": "slack",
        "messaging.destination.name": "slack.events",
        "messaging.operation.name": "receive",
        "messaging.operation.type": "receive",
        "messaging.message.id": envelope.event_id,
        "crosszone.slack.event_type": envelope.event.type,
        "crosszone.slack.retry": retry,
      },
    });
    const judged = async (): Promise<IntakeResult> => {
      const result = await judge(envelope, span.traceparent);
      const { verdict, record } = result;
      span.set({ "crosszone.verdict": verdict });
      if (verdict === "accepted") span.set({ "messaging.message.conversation_id": record?.correlation_id });
      return result;
    };
    return inSpan(span, judged, errorFields);
  };
}
