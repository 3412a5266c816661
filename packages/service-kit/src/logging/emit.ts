import type { EventDefinition } from "@crosszone/telemetry";
import type { LogFields, Logger } from "./logger.ts";

/** Reports an event of the table: logs it at its level, and measures it. */
export type Emit<Event extends string = string> = (event: Event, fields?: LogFields) => void;

export interface EmitOptions<Event extends string> {
  readonly logger: Logger<Event>;
  /** The table, which has each event's level. */
  readonly events: Readonly<Record<Event, EventDefinition>>;
  /** Returns an event's fields as they are logged. */
  readonly logged: (fields: LogFields) => LogFields;
  /** Counts and times events. */
  readonly measure?: Measures<Event>;
}

/** What counts and times events. Each function gets the fields as they were reported. */
type Measures<Event extends string> = { readonly [Name in Event]?: (fields: never) => void };

/** Makes the function that reports the events of an app. */
export function createEmit<Event extends string>({
  logger,
  events,
  logged,
  measure = {},
}: EmitOptions<Event>): Emit<Event> {
  return measured((event, fields = {}) => {
    const { level, levelOf } = events[event];
    logger[levelOf?.(fields as never) ?? level](event, logged(fields));
  }, measure);
}

/** Returns a function that measures events, and reports them to `emit`. */
export function measured<Event extends string>(emit: Emit<Event>, measure: Measures<Event>): Emit<Event> {
  return (event, fields = {}) => {
    measure[event]?.(fields as never);
    emit(event, fields);
  };
}

/** Returns a function that reports events with these fields, such as the ids of a question. */
export function emitWith<Event extends string>(emit: Emit<Event>, bound: LogFields): Emit<Event> {
  return (event, fields) => emit(event, { ...bound, ...fields });
}
