import { TypeOverrides, types } from "pg";

/** Reads `bigint` and `numeric` (sums of bigint) as numbers, like SQLite. Throws for values that a number can't represent exactly. */
export function exactNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) overrides.setTypeParser(type, toNumber);
  return overrides;
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`the value is too large to be represented as a JavaScript number: ${text}`);
  return value;
}
