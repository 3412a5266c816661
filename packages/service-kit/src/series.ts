import { boundLabels, type LabelDefinition, type Labels } from "./bounded-labels.ts";

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
