import {
  type ConfigProblem,
  type ConfigValues,
  groupOf,
  list,
  nonEmpty,
  variable,
  wholeNumber,
} from "@crosszone/service-kit";
import { channelId, policySchema, teamId, userId, type AccessPolicy } from "./access-policy.ts";
import { PolicyFileError, readPolicyFile } from "./policy-file.ts";

const access = "Who can ask";

/** Variables for members of the policy file. Each returns what that member contains; only `policySchema` transforms it. */
const replaceable = groupOf(access, {
  ALLOWED_TEAMS: variable(list(teamId).optional(), { example: "T0123456789" })`
      Workspaces whose members can ask, in addition to the one that installed the app. With SLACK_CLIENT_ID, only these
      can install it.`,
  ALLOWED_CHANNELS: variable(list(channelId).optional(), { example: "C0123456789,dm" })`
      Channels where the app answers; dm means direct messages. If unset, it answers wherever it was added.`,
  ALLOWED_USERS: variable(list(userId).optional(), { example: "U0123456789" })`
      People who can ask. If unset, every member of an allowed workspace can ask.`,
});

/** Who can ask, where, and how often. */
export const policyVariables = {
  ...replaceable,
  ...groupOf(access, {
    POLICY_FILE: variable(nonEmpty("the path of a JSON file").optional(), {
      example: "/etc/crosszone/policy.json",
    })`
      JSON file with the policy; it replaces the other variables here, and can allow guests and shared channels. Edits
      apply without a restart.`,
  }),
  ...groupOf("Limits for people", {
    MESSAGES_PER_MINUTE: variable(wholeNumber({ min: 1, max: 1_000_000 }), { default: "20" })`
      Messages per person and minute, including one burst of this size. A channel can send 3 times as many, a workspace
      15 times as many.`,
  }),
};

type Settings = Partial<ConfigValues<typeof policyVariables>>;

/** The member of the policy file for each of these variables. */
const replaced = {
  ALLOWED_TEAMS: "allowed_teams",
  ALLOWED_CHANNELS: "allowed_channels",
  ALLOWED_USERS: "allowed_users",
} as const satisfies Record<keyof typeof replaceable, keyof AccessPolicy>;

const replacedNames = Object.keys(replaced) as (keyof typeof replaced)[];

/** Returns the policy of the variables. An unset variable has the default of the policy file. */
export function policyOfVariables(settings: Settings): AccessPolicy {
  return policySchema.parse(Object.fromEntries(replacedNames.map((name) => [replaced[name], settings[name]])));
}

/** Returns the problems of the policy file, and of variables that conflict with it. */
export function policyProblems(settings: Settings): ConfigProblem[] {
  const path = settings.POLICY_FILE;
  if (path === undefined) return [];
  const conflicting = replacedNames
    .filter((name) => settings[name] !== undefined)
    .map((name) => ({ name, wrong: "is set, and so is POLICY_FILE: keep one of the two" }));
  return [...conflicting, ...fileProblems(path)];
}

function fileProblems(path: string): ConfigProblem[] {
  try {
    readPolicyFile(path);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyFileError)) throw error;
    return error.problems.map((problem) => ({
      name: "POLICY_FILE",
      wrong: `names a file that cannot be used: ${problem}`,
    }));
  }
}
