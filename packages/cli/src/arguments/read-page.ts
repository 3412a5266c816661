import { UsageError } from "./usage-error.ts";

/** Shared by every command that lists. */
export const pageOptions = {
  limit: { type: "string", value: "<count>", help: "maximum number of rows (default: 20)" },
  offset: { type: "string", value: "<count>", help: "number of rows to skip" },
} as const;

/** Reads `--limit` and `--offset`. Throws a `UsageError` for invalid numbers. */
export function readPage(values: { readonly limit?: string | undefined; readonly offset?: string | undefined }): {
  readonly limit: number;
  readonly offset: number;
} {
  return { limit: count("--limit", values.limit ?? "20", 1), offset: count("--offset", values.offset ?? "0", 0) };
}

function count(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
  throw new UsageError(`${option} must be a whole number of at least ${least}, got "${text}".`);
}
