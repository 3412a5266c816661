import type { PolicyRule } from "../policy-rule.ts";

/** Denies guests, unless the policy allows them. */
export const noGuestsRule: PolicyRule = {
  name: "no_guests",
  judge: async ({ record, directory, policy }) => {
    const user = await directory.user(record.user_id);
    const allowed = user !== undefined && (!user.guest || policy.allow_guests);
    return allowed ? "allow" : { reason: "guest" };
  },
};
