import { z } from "zod";
import { whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";

/** The arguments of cursor pagination. See https://docs.slack.dev/apis/web-api/pagination */
export const PAGE_ARGUMENTS: {
  cursor: z.ZodOptional<z.ZodString>;
  limit: z.ZodOptional<z.ZodType<number>>;
} = { cursor: z.string().optional(), limit: whole.optional() };

/** One page of a list, and the cursor of the next one (empty at the end). */
export interface Page<T> {
  items: T[];
  response_metadata: { next_cursor: string };
}

/** Returns a page of a list. Throws `invalid_cursor`, `invalid_limit`. */
export function pageOf<T>(
  all: readonly T[],
  args: { cursor?: string | undefined; limit?: number | undefined },
  defaultLimit: number,
): Page<T> {
  const limit = args.limit ?? defaultLimit;
  if (limit < 1 || limit > 1000) throw new SlackError("invalid_limit");
  const start = args.cursor === undefined ? 0 : readCursor(args.cursor);
  const end = start + limit;
  const next_cursor = end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "";
  return { items: all.slice(start, end), response_metadata: { next_cursor } };
}

function readCursor(cursor: string): number {
  const start = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString())?.[1];
  if (start === undefined) throw new SlackError("invalid_cursor");
  return Number(start);
}
