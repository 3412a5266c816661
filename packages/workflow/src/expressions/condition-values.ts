import { PlanFault, outputText, WorkflowFault } from "../mapping/scope.ts";

/** Characters that one condition can read and create. With more, it could use up the memory before its timeout. */
export const mostCharacters = 10_000_000;

/** Characters that an item of a list or a member of an object counts as, according to its memory use. */
const charactersOfItem = 10;

let left = 0;

/** Runs an evaluation with a budget of characters. Throws a WorkflowFault when the budget is exceeded. Calls cannot be nested. */
export function withinBudget<Value>(characters: number, run: () => Value): Value {
  left = characters;
  const value = run();
  // CEL continues after some errors, as in `false || true`.
  spend(0);
  return value;
}

/** Charges the budget of the running evaluation. Once the budget is exceeded, this and every later call throws a WorkflowFault. */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw overBudget();
}

/** Throws a WorkflowFault when a value that is about to be created exceeds the remaining budget. */
export function allow(characters: number): void {
  if (characters > left) spend(characters);
}

/** Returns how many items a new list can have within the remaining budget. */
export const itemsLeft = (): number => Math.max(0, Math.floor(left / charactersOfItem));

export function overBudget(): WorkflowFault {
  const most = `${String(mostCharacters)} characters, an item counted as ${String(charactersOfItem)}`;
  return new WorkflowFault("condition_failed", `it reads and creates more than ${most}; use smaller lists and texts`);
}

/** Returns the size of a value in characters, without the content of its items and members. */
export function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return (value.length + 1) * charactersOfItem;
  if (value instanceof Uint8Array) return value.length;
  const names = value instanceof Map ? [...value.keys()] : Object.keys(value);
  return names.reduce((sum, name) => sum + String(name).length, (names.length + 1) * charactersOfItem);
}

/** Returns the size of a JSON value in characters, with everything in it; Infinity when that exceeds `most`. */
export function allCharactersOf(value: unknown, most: number): number {
  const waiting = [value];
  let sum = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    sum += charactersOf(next);
    if (sum > most) return Infinity;
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) waiting.push(member);
  }
  return sum;
}

/** Converts JSON for CEL. Objects become maps, so that no prototype member is reachable. */
export function toCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
}

/** A value for the thread: a small value itself, or the number of a value that was already sent. */
export type SentValue = { readonly value: unknown } | { readonly sent: number };

/** A condition to evaluate, with the values that it reads. */
export interface ConditionRequest<Value = unknown> {
  readonly expression: string;
  readonly variables: readonly string[];
  readonly values: ConditionValues<Value>;
}

export interface ToConditionThread extends ConditionRequest<SentValue> {
  /** Whether the thread drops the values that it keeps. */
  readonly isFresh: boolean;
  /** Values that the thread keeps, by number. */
  readonly added: ReadonlyMap<number, unknown>;
  /** Characters that the condition can create. */
  readonly characters: number;
}

/** `exhausted`: the condition took too long and must not be retried. */
export type ConditionAnswer =
  { readonly isTrue: boolean } | { readonly fault: string } | { readonly exhausted: string };

/** Returns whether the condition holds. Throws a WorkflowFault when it could not be evaluated, and a PlanFault when it took too long. */
export function isTrue(answer: ConditionAnswer): boolean {
  if ("isTrue" in answer) return answer.isTrue;
  if ("fault" in answer) throw new WorkflowFault("condition_failed", answer.fault);
  throw new PlanFault(answer.exhausted);
}

/** The values of an expression: as JSON, converted for CEL, or as sent to the thread. */
export interface ConditionValues<Value = unknown> {
  readonly input: Value;
  /** The outputs that it reads, by step id. */
  readonly outputs: ReadonlyMap<string, Value>;
  /** The variables that it reads and the values of `${…}`, by name. */
  readonly names: ReadonlyMap<string, Value>;
}

export function mapValues<From, To>(
  { input, outputs, names }: ConditionValues<From>,
  change: (value: From) => To,
): ConditionValues<To> {
  const changed = (values: ReadonlyMap<string, From>): ReadonlyMap<string, To> =>
    new Map(Array.from(values, ([name, value]) => [name, change(value)]));
  return { input: change(input), outputs: changed(outputs), names: changed(names) };
}

/** Returns the context in which CEL looks up variables. An output that is plain text is read as `answer` where its `text` is meant. */
export function contextOf({ input, outputs, names }: ConditionValues): Record<string, unknown> {
  const stepOf = (output: unknown): Map<string, unknown> =>
    new Map([
      ["output", output],
      ["answer", typeof output === "object" ? output : new Map([["text", outputText(output)]])],
    ]);
  return {
    workflow: new Map([["input", input]]),
    steps: new Map(Array.from(outputs, ([id, output]) => [id, stepOf(output)])),
    ...Object.fromEntries(names),
  };
}
