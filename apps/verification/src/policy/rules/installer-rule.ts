import { mayInstall } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** Denies a workspace whose permission to install the app was withdrawn. Makes no calls. */
export const installerRule: PolicyRule = {
  name: "installer",
  judge: ({ policy, identity }) => (mayInstall(policy, identity) ? "allow" : { reason: "foreign_team" }),
};
