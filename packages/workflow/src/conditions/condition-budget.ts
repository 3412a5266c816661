import { WorkflowFault } from "../workflow-fault.ts";

/** What one condition may read and make, characters: what holds more could take all memory before its time is over. */
export const mostCharacters = 10_000_000;

/** An item of a list, or a member of an object, counts as so many characters: about what it takes in memory. */
const charactersOfItem = 10;

let left = 0;

/** Runs an evaluation that may make so many characters. Throws a WorkflowFault when it makes more. Not to be used within itself. */
export function withinBudget<Value>(characters: number, run: () => Value): Value {
  left = characters;
  const value = run();
  // The language goes on after some errors, as in `false || true`.
  spend(0);
  return value;
}

/** Counts what the evaluation under way has made. Throws a WorkflowFault when nothing is left; every later call does too. */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw overBudget();
}

/** Throws a WorkflowFault when what is about to be made is more than what is left. */
export function allow(characters: number): void {
  if (characters > left) spend(characters);
}

/** How many items a list may have that the evaluation under way is about to make. */
export const itemsLeft = (): number => Math.max(0, Math.floor(left / charactersOfItem));

export function overBudget(): WorkflowFault {
  const most = `${String(mostCharacters)} characters, an item counted as ${String(charactersOfItem)}`;
  return new WorkflowFault(
    "condition_failed",
    `it reads and makes more than ${most}; let it use smaller lists and texts`,
  );
}

/** What a value holds itself, in characters: not what its items and members hold. */
export function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return (value.length + 1) * charactersOfItem;
  if (value instanceof Uint8Array) return value.length;
  const names = value instanceof Map ? [...value.keys()] : Object.keys(value);
  return names.reduce((sum, name) => sum + String(name).length, (names.length + 1) * charactersOfItem);
}

/** What a value of JSON holds with all that is in it, in characters; Infinity when that is more than `most`. */
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
