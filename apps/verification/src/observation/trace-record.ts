import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { InboxEntry, InboxRecord } from "../inbox/inbox.ts";
import { errorFields } from "./error-fields.ts";

/**
 * Puts the work on an inbox record into a span, under the one that received the event: also when another process takes the record
 * later, because the record carries it. Whatever the work asks of others belongs to it.
 */
export function traceRecord<K extends InboxRecord["kind"]>(
  tracer: Tracer,
  handle: (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void>,
): (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void> {
  return async (entry, lease) => {
    const { kind, request_id, correlation_id, traceparent } = entry.record;
    const span = tracer.start(`process ${kind}`, {
      kind: "consumer",
      traceparent,
      attributes: {
        "messaging.system.name": "slack",
        "messaging.destination.name": "slack.events",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.message.conversation_id": correlation_id,
        "crosszone.request_id": request_id,
        "crosszone.attempt": entry.attempt,
      },
    });
    return inSpan(span, () => handle(entry, lease), errorFields);
  };
}
