/** The values of an expression: as JSON, converted for CEL, or as sent to the thread. */
export interface ConditionValues<Value = unknown> {
  readonly input: Value;
  /** The outputs that it reads, by step id. */
  readonly outputs: ReadonlyMap<string, Value>;
  /** The variables that it reads and the values of `${…}`, by name. */
  readonly names: ReadonlyMap<string, Value>;
}

/** Converts each value. */
export function mapValues<From, To>(
  { input, outputs, names }: ConditionValues<From>,
  change: (value: From) => To,
): ConditionValues<To> {
  const changed = (values: ReadonlyMap<string, From>): ReadonlyMap<string, To> =>
    new Map(Array.from(values, ([name, value]) => [name, change(value)]));
  return { input: change(input), outputs: changed(outputs), names: changed(names) };
}

/** Returns the context in which CEL looks up variables. */
export function contextOf({ input, outputs, names }: ConditionValues): Record<string, unknown> {
  return {
    workflow: new Map([["input", input]]),
    steps: new Map(Array.from(outputs, ([id, output]) => [id, new Map([["output", output]])])),
    ...Object.fromEntries(names),
  };
}
