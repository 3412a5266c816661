import type { Registry } from "prom-client";

/** Holds the instruments of one app. */
export type MetricsRegistry = Registry;

/** Replaces every label value that is not allowed. */
const otherLabel = "other";

/**
 * The allowed values of a label: a list, or a predicate for a changing set, such as the registered agents. Each distinct label value is a
 * permanent time series: https://prometheus.io/docs/practices/naming/#labels
 */
export type LabelValues = readonly string[] | ((value: string) => boolean);

export type LabelDefinition<Name extends string> = Readonly<Record<Name, LabelValues>>;

export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** Limit of distinct values that a predicate can allow; further ones become `other`. */
const mostValues = 200;

/** Returns a function that replaces label values that are not allowed with `other`. */
export function boundLabels<Name extends string>(
  definition: LabelDefinition<Name>,
): (labels: Labels<Name>) => Labels<Name> {
  const bounds = Object.entries<LabelValues>(definition).map(([name, values]) => [name, boundValue(values)] as const);
  return (labels) => {
    const given = labels as Readonly<Record<string, string>>;
    const bounded: Record<string, string> = {};
    for (const [name, bound] of bounds) bounded[name] = bound(given[name]);
    return bounded as Labels<Name>;
  };
}

function boundValue(values: LabelValues): (value: string | undefined) => string {
  if (typeof values !== "function") {
    const allowed = new Set(values);
    return (value) => (value !== undefined && allowed.has(value) ? value : otherLabel);
  }
  const used = new Set<string>();
  return (value) => {
    if (value === undefined || !values(value)) return otherLabel;
    if (used.size < mostValues) used.add(value);
    return used.has(value) ? value : otherLabel;
  };
}

/** The series of one metric: a value for each used combination of labels. */
export interface Series<Name extends string, Value> {
  /** Returns the value of these labels, creating it on first use. A label value that is not allowed counts as `other`. */
  readonly of: (labels: Labels<Name>) => Value;
  readonly all: () => readonly { readonly labels: Labels<Name>; readonly value: Value }[];
}

/** A level of the label tree: further labels, or the value. */
interface Branch<Value> {
  readonly next: Map<string, Branch<Value>>;
  value?: Value;
}

/**
 * Stores series in nested maps, one level for each label. Each request looks up several series; joining their labels into a key each time
 * would cost more than counting.
 */
export function createSeries<Name extends string, Value>(
  definition: LabelDefinition<Name>,
  make: () => Value,
): Series<Name, Value> {
  const names = Object.keys(definition) as Name[];
  const bound = boundLabels(definition);
  const all: { labels: Labels<Name>; value: Value }[] = [];
  const root: Branch<Value> = { next: new Map() };

  function find(labels: Labels<Name>): Value | undefined {
    let branch: Branch<Value> | undefined = root;
    for (const name of names) branch = branch?.next.get(labels[name]);
    return branch?.value;
  }

  function add(labels: Labels<Name>): Value {
    let branch = root;
    for (const name of names) branch = branch.next.getOrInsertComputed(labels[name], () => ({ next: new Map() }));
    const value = make();
    branch.value = value;
    all.push({ labels, value });
    return value;
  }

  return {
    of: (given) => {
      const known = find(given);
      if (known !== undefined) return known;
      const labels = bound(given);
      return find(labels) ?? add(labels);
    },
    all: () => all,
  };
}
