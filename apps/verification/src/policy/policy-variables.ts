import {
  type ConfigProblem,
  type ConfigValues,
  groupOf,
  jsonFileProblems,
  nonEmpty,
  variable,
  wholeNumber,
} from "@crosszone/service-kit";
import { readPolicyFile } from "./policy-file.ts";

/** Who can ask, where, and how often. */
export const policyVariables = {
  ...groupOf("Who can ask", {
    POLICY_FILE: variable(nonEmpty("the path of a JSON file").optional(), {
      example: "/etc/crosszone/policy.json",
    })`
      JSON file with the policy: who can ask, where, and with which files. Edits apply without a restart. If unset,
      members of the workspace that installed the app can ask, except guests.`,
  }),
  ...groupOf("Limits for people", {
    MESSAGES_PER_MINUTE: variable(wholeNumber({ min: 1, max: 1_000_000 }), { default: "20" })`
      Messages per person and minute, including one burst of this size. A channel can send 3 times as many, a workspace
      15 times as many.`,
  }),
};

/** Returns the problems of the policy file. */
export const policyProblems = ({ POLICY_FILE: path }: Partial<ConfigValues<typeof policyVariables>>): ConfigProblem[] =>
  jsonFileProblems("POLICY_FILE", () => readPolicyFile(path));
