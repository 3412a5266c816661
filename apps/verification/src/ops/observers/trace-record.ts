import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { InboxEntry, InboxRecord } from "../../inbox/inbox.ts";
import { errorFields } from "./error-fields.ts";

/**
 * Processes an inbox record in a span, whose parent is the span that received the event. The record carries the parent, so this also works
 * in another process. The calls of the work are children of the span.
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
