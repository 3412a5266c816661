import type { EventDefinition, EventFields, EventName, EventSubject } from "@crosszone/telemetry";
import type { LogFields, Logger } from "../logging/logger.ts";
import { createEventMetrics, type LabelSets } from "./event-metrics.ts";
import type { MetricsRegistry } from "./series.ts";

/**
 * Reports an event of the table: logs it at its level, and updates the metrics that follow from it. The table says which fields the event
 * has; others fail the type check.
 */
export type Emit<Event extends EventName = EventName> = <Name extends Event>(
  event: Name,
  ...fields: EmittedFields<Name>
) => void;

/** The fields of an event as arguments. They can be left out if none is required. */
export type EmittedFields<Name extends EventName> =
  {} extends EventFields<Name> ? [fields?: EventFields<Name>] : [fields: EventFields<Name>];

export interface EmitOptions<Event extends EventName> {
  readonly logger: Logger<Event>;
  /** The rows of the app's events. */
  readonly events: Readonly<Record<Event, EventDefinition>>;
  /** Adds what follows from an event's fields, such as the kind of an error. */
  readonly complete?: (fields: LogFields) => LogFields;
  /** Where events are counted and timed, and the values of the labels. Absent for events before the app's metrics exist. */
  readonly measured?: { readonly registry: MetricsRegistry; readonly sets: LabelSets };
}

/** Makes the function that reports the events of an app. The metrics can be registered once in a registry. */
export function createEmit<Event extends EventName>(options: EmitOptions<Event>): Emit<Event> {
  const { logger, events, complete = (fields) => fields, measured } = options;
  const updates = measured && createEventMetrics(events, measured.registry, measured.sets);
  return (event, given = {} as never) => {
    const fields = complete(given);
    for (const update of updates?.get(event) ?? []) update(fields);
    const { level, metrics } = events[event];
    logger[metrics.levelOf?.(fields as never) ?? level](event, loggedFields(fields));
  };
}

/** Returns fields as they are logged: of a `traceparent` the trace's id, and whole milliseconds, or microseconds below ten. */
function loggedFields({ traceparent, duration_ms: durationMs, ...fields }: LogFields): LogFields {
  return {
    ...fields,
    ...(typeof durationMs === "number" && { duration_ms: Number(durationMs.toFixed(durationMs < 10 ? 3 : 0)) }),
    // https://www.w3.org/TR/trace-context/#traceparent-header
    ...(typeof traceparent === "string" && { trace_id: traceparent.slice(3, 35) }),
  };
}

/** Returns a function that reports events with these fields, such as the ids of a question. */
export function emitWith<Event extends EventName>(emit: Emit<Event>, bound: EventSubject): Emit<Event> {
  return (event, ...[fields]) => emit(event, ...([{ ...bound, ...fields }] as never));
}
