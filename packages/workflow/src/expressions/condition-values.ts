/** A value for the thread: a small value itself, or the number of a value that was already sent. */
export type SentValue = { readonly value: unknown } | { readonly sent: number };

/** Messages to the condition thread. */
export type ToConditionThread =
  | {
      readonly type: "evaluate";
      readonly expression: string;
      readonly variables: readonly string[];
      readonly values: ConditionValues<SentValue>;
      /** Values that the thread keeps until a `forget` message, by number. */
      readonly added: ReadonlyMap<number, unknown>;
      /** Characters that the condition can create. */
      readonly characters: number;
    }
  | { readonly type: "forget" };

/** `exhausted`: the condition took too long and must not be retried. */
export type FromConditionThread =
  { readonly isTrue: boolean } | { readonly fault: string } | { readonly exhausted: string };

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
