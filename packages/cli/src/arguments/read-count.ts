import { UsageError } from "./usage-error.ts";

/** Returns the number of an option, such as a port. Throws a `UsageError` when it is not a whole number from 1 to `most`. */
export function readCount(option: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new UsageError(`${option} must be a whole number from 1 to ${most}, got "${text}".`);
}
