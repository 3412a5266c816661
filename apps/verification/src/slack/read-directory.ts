import { z } from "zod";
import type { SlackChannel, SlackUser } from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";

/** What Slack answers when there is no such thing, or none that this app may see. */
const missing: ReadonlySet<string> = new Set([
  "team_not_found",
  "user_not_found",
  "user_not_visible",
  "users_not_found",
  "channel_not_found",
]);

/** The answer of a lookup, or nothing when Slack says that there is nothing; any other failure is thrown on. */
export async function orMissing<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof SlackCallError && missing.has(error.code)) return undefined;
    throw error;
  }
}

/** Slack leaves out what does not apply, as the roles of a deactivated person; what always is there must be there. */
const user = z.object({
  team_id: z.string(),
  deleted: z.boolean(),
  is_bot: z.boolean(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
});

const channel = z.object({
  is_archived: z.boolean(),
  is_ext_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
});

/** Throws a `SlackCallError` for what is no user. */
export function readUser(raw: unknown): SlackUser {
  const { success, data } = user.safeParse(raw);
  if (!success) throw new SlackCallError("users.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    team_id: data.team_id,
    deleted: data.deleted,
    bot: data.is_bot,
    guest: data.is_restricted === true || data.is_ultra_restricted === true,
    stranger: data.is_stranger === true,
  };
}

/** Throws a `SlackCallError` for what is no conversation. */
export function readChannel(raw: unknown): SlackChannel {
  const { success, data } = channel.safeParse(raw);
  if (!success) throw new SlackCallError("conversations.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    archived: data.is_archived,
    shared: data.is_ext_shared === true || data.is_pending_ext_shared === true,
  };
}
