import {
  type EventDefinition,
  type EventDefinitions,
  type EventFields,
  type EventName,
  type EventSubject,
  type MetricName,
  metrics,
} from "@crosszone/telemetry";
import { type LogFields, type Logger, unwritten } from "../logging/logger.ts";
import {
  createCounter,
  createHistogram,
  type LabelDefinition,
  type Labels,
  type LabelValues,
  type MetricsRegistry,
} from "./instruments.ts";

/**
 * Reports an event of the table: logs it at its level, and updates the metrics that follow from it. The table says which fields the event
 * has; others fail the type check.
 */
export type Emit<Event extends EventName = EventName> = <Name extends Event>(
  event: Name,
  ...fields: EmittedFields<Name>
) => void;

/** The fields of an event as arguments. They can be left out if none is required. */
type EmittedFields<Name extends EventName> =
  {} extends EventFields<Name> ? [fields?: EventFields<Name>] : [fields: EventFields<Name>];

interface EmitOptions<Event extends EventName> {
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
    const { level, metrics: measures } = events[event];
    const log = logger[measures.levelOf?.(fields as never) ?? level];
    if (log !== unwritten) log(event, loggedFields(fields));
  };
}

/** Returns fields as they are logged: of a `traceparent` the trace's id, and whole milliseconds, or microseconds below ten. */
function loggedFields({ traceparent, duration_ms: durationMs, ...fields }: LogFields): LogFields {
  return {
    ...fields,
    duration_ms: typeof durationMs === "number" ? Number(durationMs.toFixed(durationMs < 10 ? 3 : 0)) : undefined,
    // https://www.w3.org/TR/trace-context/#traceparent-header
    trace_id: typeof traceparent === "string" ? traceparent.slice(3, 35) : undefined,
  };
}

/** Returns a function that reports events with these fields, such as the ids of a question. */
export function emitWith<Event extends EventName>(emit: Emit<Event>, bound: EventSubject): Emit<Event> {
  return (event, ...[fields]) => emit(event, ...([{ ...bound, ...fields }] as never));
}

/** The values of the labels that the table names `@…`. `@any` needs none. */
type LabelSets = Readonly<Record<string, LabelValues>>;

type AnyLabels = Labels<string>;
type Update = (fields: LogFields) => void;
/** The functions of a row by metric, as they are called: with the fields of an event. */
type Rows<Result> = Readonly<Record<string, (fields: LogFields) => Result>>;

interface EventRow {
  readonly counts?: Rows<AnyLabels | undefined>;
  readonly adds?: Rows<readonly (readonly [AnyLabels, number])[]>;
  readonly times?: Rows<AnyLabels | undefined>;
  /** The histogram has the labels of the counter except the outcome. */
  readonly requests?: Rows<AnyLabels | undefined>;
}

/**
 * Creates the metrics that follow from the events of a table, and returns what updates them for each event. Throws if a label's set is
 * missing.
 */
function createEventMetrics(
  events: EventDefinitions,
  registry: MetricsRegistry,
  sets: LabelSets,
): ReadonlyMap<string, readonly Update[]> {
  const labelsOf = (name: string): LabelDefinition<string> =>
    Object.fromEntries(
      Object.entries(metrics[name as MetricName].labels).map(([label, values]) => [label, allowed(values, sets)]),
    );
  const counter = once((name) => createCounter(registry, name as MetricName<"counter">, labelsOf(name)));
  const histogram = once((name) => createHistogram(registry, name as MetricName<"histogram">, labelsOf(name)));
  const pair = (name: string) => [counter(`${name}_requests_total`), histogram(`${name}_duration_seconds`)] as const;

  const updates = ({ counts, adds, times, requests }: EventRow): Update[] => [
    ...each(counts, counter, (count, labels) => labels && count.add(labels)),
    ...each(adds, counter, (count, all) => {
      for (const [labels, by] of all) count.add(labels, by);
    }),
    ...each(times, histogram, (time, labels, durationMs) => labels && time.observe(labels, durationMs / 1_000)),
    ...each(requests, pair, ([count, time], labels, durationMs) => {
      if (labels === undefined) return;
      count.add(labels);
      time.observe(labels, durationMs / 1_000);
    }),
  ];
  return new Map(Object.entries(events).map(([name, row]) => [name, updates(row.metrics as EventRow)]));
}

/** Returns a function for each row, which updates the row's instrument by an event's fields. */
function each<Result, Instrument>(
  rows: Rows<Result> | undefined,
  instrumentOf: (name: string) => Instrument,
  update: (instrument: Instrument, result: Result, durationMs: number) => void,
): Update[] {
  return Object.entries(rows ?? {}).map(([name, read]) => {
    const instrument = instrumentOf(name);
    return (fields) => update(instrument, read(fields), Number(fields["duration_ms"]));
  });
}

/** Several events can change one instrument, and a registry accepts a name once. */
function once<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => made.getOrInsertComputed(name, make);
}

function allowed(values: readonly string[], sets: LabelSets): LabelValues {
  const named = values.filter((value) => value.startsWith("@"));
  if (named.includes("@any")) return () => true;
  const own = values.filter((value) => !value.startsWith("@"));
  const given = named.map((name) => {
    const set = sets[name.slice(1)];
    if (set === undefined) throw new Error(`the labels ${name} of the table of metrics have no values`);
    return set;
  });
  const lists = [own, ...given.filter((set) => typeof set !== "function")].flat();
  const isOther = given.filter((set) => typeof set === "function");
  return isOther.length === 0 ? lists : (value) => lists.includes(value) || isOther.some((is) => is(value));
}
