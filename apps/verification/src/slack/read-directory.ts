import { z } from "zod";
import type { SlackChannel, SlackUser } from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";

/** Slack's errors for a person or place that does not exist, or that the app cannot see. */
const missing: ReadonlySet<string> = new Set([
  "team_not_found",
  "user_not_found",
  "user_not_visible",
  "users_not_found",
  "channel_not_found",
]);

/** Resolves with the result of a lookup; undefined if Slack says that it does not exist. Rejects with any other failure. */
export async function orMissing<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof SlackCallError && missing.has(error.code)) return undefined;
    throw error;
  }
}

const shortText = z.string().min(1).max(255).optional().catch(undefined);

/** Slack omits members that don't apply, such as the roles of a deactivated person. Mandatory members are required. */
const user = z.object({
  team_id: z.string(),
  deleted: z.boolean(),
  is_bot: z.boolean(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  real_name: shortText,
  profile: z.object({ display_name: shortText }).optional().catch(undefined),
});

const channel = z.object({
  name: shortText,
  is_archived: z.boolean(),
  is_ext_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
});

/** Throws a `SlackCallError` if `raw` is not a user. */
export function readUser(raw: unknown): SlackUser {
  const { success, data } = user.safeParse(raw);
  if (!success) throw new SlackCallError("users.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    team_id: data.team_id,
    deleted: data.deleted,
    bot: data.is_bot,
    guest: data.is_restricted === true || data.is_ultra_restricted === true,
    stranger: data.is_stranger === true,
    name: data.real_name ?? data.profile?.display_name,
  };
}

/** Throws a `SlackCallError` if `raw` is not a conversation. */
export function readChannel(raw: unknown): SlackChannel {
  const { success, data } = channel.safeParse(raw);
  if (!success) throw new SlackCallError("conversations.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    name: data.name,
    archived: data.is_archived,
    shared: data.is_ext_shared === true || data.is_pending_ext_shared === true,
  };
}
