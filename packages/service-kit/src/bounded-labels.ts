/** The value that stands for every label value outside of its list. */
const otherLabel = "other";

/**
 * Which values a label may have: a list, or a question for a set that changes, such as the registered agents.
 * Each different value of a label is a new time series for ever: https://prometheus.io/docs/practices/naming/#labels
 */
export type LabelValues = readonly string[] | ((value: string) => boolean);

export type LabelDefinition<Name extends string> = Readonly<Record<Name, LabelValues>>;

export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** A question may say yes to any number of values; so many of them get a series of their own, the rest are `other`. */
const mostValues = 200;

/** Gives the function that replaces label values that are not allowed by `other`. */
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
