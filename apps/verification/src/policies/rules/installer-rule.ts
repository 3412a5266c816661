import { mayInstall } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** The workspace that installed the app may still have it installed: it was taken off the list otherwise. Calls nobody. */
export const installerRule: PolicyRule = {
  name: "installer",
  judge: ({ policy, identity }) => (mayInstall(policy, identity) ? "allow" : { reason: "foreign_team" }),
};
