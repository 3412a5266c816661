/** What an expression is evaluated with, each value as JSON, as CEL has it, or as it is sent. */
export interface ConditionValues<Value = unknown> {
  readonly input: Value;
  /** The outputs that it reads, by step id. */
  readonly outputs: ReadonlyMap<string, Value>;
  /** The variables that it reads, and what stands in `${…}`, by name. */
  readonly names: ReadonlyMap<string, Value>;
}

/** The same values as something else. */
export function mapValues<From, To>(
  { input, outputs, names }: ConditionValues<From>,
  change: (value: From) => To,
): ConditionValues<To> {
  const changed = (values: ReadonlyMap<string, From>): ReadonlyMap<string, To> =>
    new Map(Array.from(values, ([name, value]) => [name, change(value)]));
  return { input: change(input), outputs: changed(outputs), names: changed(names) };
}

/** What the language looks its variables up in. */
export function contextOf({ input, outputs, names }: ConditionValues): Record<string, unknown> {
  return {
    workflow: new Map([["input", input]]),
    steps: new Map(Array.from(outputs, ([id, output]) => [id, new Map([["output", output]])])),
    ...Object.fromEntries(names),
  };
}
