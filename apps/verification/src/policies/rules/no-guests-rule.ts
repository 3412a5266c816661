import type { PolicyRule } from "../policy-rule.ts";

/** The author is a full member, or guests are let in. */
export const noGuestsRule: PolicyRule = {
  name: "no_guests",
  judge: async ({ record, directory, policy }) => {
    const user = await directory.user(record.user_id);
    const allowed = user !== undefined && (!user.guest || policy.allow_guests);
    return allowed ? "allow" : { reason: "guest" };
  },
};
