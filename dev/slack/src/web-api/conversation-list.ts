import { z } from "zod";
import type { Channel } from "../control/protocol.ts";
import { flag } from "./arguments.ts";
import { toApiChannel } from "./channel-shape.ts";
import { PAGE_ARGUMENTS, pageOf } from "./paging.ts";
import { SlackError } from "./slack-error.ts";
import type { Answer, CallContext } from "./web-method.ts";

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
