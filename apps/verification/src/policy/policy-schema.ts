import { z } from "zod";
import type { AccessPolicy } from "./access-policy.ts";

/** The ids that each list accepts. Wildcards are not supported; everything else is denied. */
export const teamId: z.ZodType<string, string> = id(/^[TE][A-Z0-9]{1,30}$/, "a team id, which starts with T");
export const userId: z.ZodType<string, string> = id(/^[UW][A-Z0-9]{1,30}$/, "a user id, which starts with U or W");
export const channelId: z.ZodType<string, string> = id(
  /^(?:dm|[CGD][A-Z0-9]{1,30})$/,
  "a conversation id, which starts with C, G or D, or dm for every direct message",
);

const set = (item: z.ZodType<string, string>): z.ZodType<ReadonlySet<string>> =>
  z
    .array(item)
    .default([])
    .transform((items) => new Set(items));

/** The policy file. Every member is optional; an unknown member is an error, because it is likely misspelt. */
export const policySchema: z.ZodType<AccessPolicy> = z.strictObject({
  allowed_teams: set(teamId),
  allowed_channels: set(channelId),
  allowed_users: set(userId),
  allow_guests: z.boolean().default(false),
  allow_shared_channels: z.boolean().default(false),
  channel_agents: z
    .record(channelId, z.string().trim().min(1).max(255))
    .default({})
    .transform((agents) => new Map(Object.entries(agents))),
});

function id(pattern: RegExp, words: string): z.ZodType<string, string> {
  return z
    .string()
    .regex(pattern, { error: `it is not ${words}` })
    .describe(words);
}
