import { z } from "zod";
import type { Channel } from "../protocol/workspace.ts";
import { toApiChannel } from "./channels.ts";
import { flag, whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import type { Answer, CallContext } from "./web-method.ts";

/** The arguments of cursor pagination. See https://docs.slack.dev/apis/web-api/pagination */
export const PAGE_ARGUMENTS: {
  cursor: z.ZodOptional<z.ZodString>;
  limit: z.ZodOptional<z.ZodType<number>>;
} = { cursor: z.string().optional(), limit: whole.optional() };

/** One page of a list, and the cursor of the next one (empty at the end). */
interface Page<T> {
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

const KINDS: Record<string, Channel["kind"]> = {
  public_channel: "channel",
  private_channel: "group",
  im: "im",
  mpim: "mpim",
};

/** The arguments that select the conversations to list. */
export const LIST_ARGUMENTS: {
  cursor: z.ZodOptional<z.ZodString>;
  limit: z.ZodOptional<z.ZodType<number>>;
  types: z.ZodDefault<z.ZodString>;
  exclude_archived: z.ZodOptional<z.ZodType<boolean>>;
} = { ...PAGE_ARGUMENTS, types: z.string().default("public_channel"), exclude_archived: flag.optional() };

/** Returns a page of the conversations that the bot can see. Throws `invalid_types`, `invalid_cursor`, `invalid_limit`. */
export function listConversations(
  { state }: CallContext,
  args: z.infer<z.ZodObject<typeof LIST_ARGUMENTS>>,
  isWanted: (channel: Channel) => boolean = () => true,
): Answer {
  const kinds = args.types.split(",").map((type) => KINDS[type.trim()]);
  if (kinds.includes(undefined)) throw new SlackError("invalid_types");
  const { bot, workspace } = state.directory;
  const found = workspace.channels
    .filter(({ kind }) => kinds.includes(kind))
    .filter(({ kind, members }) => kind === "channel" || members.includes(bot.id))
    .filter((channel) => isWanted(channel) && !(args.exclude_archived && channel.is_archived));
  const { items, response_metadata } = pageOf(found, args, 100);
  return {
    channels: items.map((channel) => ({ ...toApiChannel(channel, state), num_members: channel.members.length })),
    response_metadata,
  };
}
