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
  const seen = new Set<string>();
  return (value) => {
    if (value === undefined || !values(value)) return otherLabel;
    if (seen.size < mostValues) seen.add(value);
    return seen.has(value) ? value : otherLabel;
  };
}
