import type { MetricLabels, MetricName, RequestMetricsName } from "./metrics.ts";

type EventLevel = "debug" | "info" | "warn" | "error";

/** The types of fields by name. */
interface FieldValues {
  readonly text: string;
  readonly number: number;
  readonly flag: boolean;
  readonly list: readonly unknown[];
  readonly any: unknown;
  /** What people, agents or models said: left out of logs without `LOG_CONTENT`. */
  readonly content: unknown;
}

type FieldType = keyof FieldValues;

/** The fields of an event: a type for each name. A name that ends in `?` can be absent. */
export type FieldRows = Readonly<Record<string, FieldType>>;

/** The fields as they are passed to `emit`. */
export type FieldsOf<Rows extends FieldRows> = {
  readonly [Name in keyof Rows as Name extends `${string}?` ? never : Name]: FieldValues[Rows[Name]];
} & {
  readonly [Name in keyof Rows as Name extends `${infer Own}?` ? Own : never]?: FieldValues[Rows[Name]];
};

/** What an event can be about. Each field can be added to any event, and relates its line to others. */
export const subjectFields = {
  "correlation_id?": "text",
  "request_id?": "any",
  "http_request_id?": "text",
  "task_id?": "text",
  "run_id?": "text",
  "workflow_id?": "text",
  "agent?": "text",
  "agent_name?": "text",
  "protocol?": "text",
  "team_id?": "text",
  "channel?": "any",
  "thread_ts?": "text",
  "user_id?": "text",
  "traceparent?": "text",
} as const;

/**
 * Returns the labels of a metric that an event changes, from the event's fields; a label that is undefined becomes `other`. Undefined leaves the
 * metric unchanged.
 */
type Label<Fields, Labels> = (
  fields: Fields,
) => { readonly [Name in keyof Labels]: Labels[Name] | undefined } | undefined;

/** The metrics that follow from an event. Those that measure time read its field `duration_ms`. */
interface EventMetrics<Fields> {
  /** Returns the level of one event, where that depends on its fields. */
  readonly levelOf?: (fields: Fields) => EventLevel;
  /** Counters that grow by 1. */
  readonly counts?: { readonly [Name in MetricName<"counter">]?: Label<Fields, MetricLabels<Name>> };
  /** Counters that grow by other numbers, which follow the labels. */
  readonly adds?: {
    readonly [Name in MetricName<"counter">]?: (fields: Fields) => readonly (readonly [MetricLabels<Name>, number])[];
  };
  /** Histograms of durations. */
  readonly times?: { readonly [Name in MetricName<"histogram">]?: Label<Fields, MetricLabels<Name>> };
  /** Pairs of a counter and a histogram, by the start of their names. */
  readonly requests?: {
    readonly [Name in RequestMetricsName]?: Label<Fields, MetricLabels<`${Name}_requests_total`>>;
  };
}

/** A log event. Its name is the key of its list, and the member `event` of a line. */
export interface EventDefinition<Rows extends FieldRows = FieldRows> {
  /** The usual level; `means` names an exception. */
  readonly level: EventLevel;
  readonly means: string;
  readonly fields: Rows;
  readonly metrics: EventMetrics<never>;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

const define =
  (level: EventLevel) =>
  <const Rows extends FieldRows = {}>(
    means: string,
    fields: Rows = {} as Rows,
    metrics: EventMetrics<FieldsOf<Rows & typeof subjectFields>> = {},
  ): EventDefinition<Rows> => ({ level, means, fields, metrics });

/** The labels are the fields with their names. */
export const same = <Fields>(fields: Fields): Fields => fields;

/** Make the rows of events, by their level: what an event means, its fields, and the metrics that follow from it. */
export const debug = define("debug");
export const info = define("info");
export const warn = define("warn");
export const error = define("error");

export const timed = { duration_ms: "number" } as const;
/** `kind` is that of the error. */
export const ended = { ...timed, "kind?": "text" } as const;
/** Where a request came from: its IP address, and the start of its `user-agent`. */
export const from = { "address?": "text", "client?": "text" } as const;

/** `by` is the actor of the token; `unknown` without one. */
export const apiRequest = { kind: "text", method: "text", by: "text", "scope?": "text", ...from } as const;

/** A call that failed and is retried. */
export const failedCall = { operation: "text", "cause?": "any" } as const;

/** Returns the level of an answered call. Verification waits for input requests and fires all the time, and for retries of failed runs. */
export const quietPoll = ({ operation }: { readonly operation: string }): EventLevel =>
  ["list_input_requests", "list_fires", "get_run_change"].includes(operation) ? "debug" : "info";
