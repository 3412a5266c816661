import {
  defineConfig,
  list,
  wholeNumber,
  yesOrNo,
  type ConfigProblem,
  type ConfigValues,
} from "@crosszone/service-kit";
import { z } from "zod";
import { channelId, policySchema, teamId, userId, type AccessPolicy } from "./access-policy.ts";
import { PolicyFileError, readPolicyFile } from "./policy-file.ts";

const access = "Who can ask";
const limits = "Limits for people";
const count = wholeNumber({ min: 1, max: 1_000_000 });

/** Who can ask, where, and how often. */
export const policyVariables = defineConfig({
  ALLOWED_TEAMS: {
    schema: list(teamId).optional(),
    description:
      "Workspaces whose members can ask, in addition to the one that installed the app. With SLACK_CLIENT_ID, only these can install it.",
    example: "T0123456789",
    group: access,
  },
  ALLOWED_CHANNELS: {
    schema: list(channelId).optional(),
    description:
      "Channels where the app answers; dm means direct messages. If unset, it answers wherever it was added.",
    example: "C0123456789,dm",
    group: access,
  },
  ALLOWED_USERS: {
    schema: list(userId).optional(),
    description: "People who can ask. If unset, every member of an allowed workspace can ask.",
    example: "U0123456789",
    group: access,
  },
  ALLOW_GUESTS: {
    schema: yesOrNo().optional(),
    description: "Whether guests of the workspace can ask.",
    example: "false",
    group: access,
  },
  ALLOW_SHARED_CHANNELS: {
    schema: yesOrNo().optional(),
    description:
      "Whether the app answers in channels shared with other organisations. ALLOWED_TEAMS lists the organisations whose people can ask.",
    example: "false",
    group: access,
  },
  POLICY_FILE: {
    schema: z.string().describe("the path of a JSON file").optional(),
    description:
      "JSON file with the policy; it replaces the ALLOWED_ and ALLOW_ variables. Edits apply without a restart.",
    example: "/etc/crosszone/policy.json",
    group: access,
  },
  USER_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "20",
    description: "Messages per person and minute, including one burst of this size.",
    group: limits,
  },
  CHANNEL_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "60",
    description: "Messages per channel and minute, including one burst of this size.",
    group: limits,
  },
  TEAM_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "300",
    description: "Messages per workspace and minute, including one burst of this size.",
    group: limits,
  },
  THREAD_MESSAGES_PER_HOUR: {
    schema: count,
    default: "60",
    description: "Messages per thread and hour, including one burst of this size. It ends loops between two bots.",
    group: limits,
  },
  MAX_WAITING_PER_THREAD: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "5",
    description: "Questions that can wait in one thread. Verification refuses the next one.",
    group: limits,
  },
  MAX_QUESTION_CHARACTERS: {
    schema: count,
    default: "20000",
    description: "Characters of one question. Verification refuses longer ones.",
    group: limits,
  },
  MAX_FILES: {
    schema: wholeNumber({ min: 0, max: 1_000 }),
    default: "10",
    description: "Files of one message. Verification refuses messages with more.",
    group: limits,
  },
});

type Settings = Partial<ConfigValues<typeof policyVariables>>;

/** The variables that the policy file replaces, and their members in it. */
const replaced = {
  ALLOWED_TEAMS: "allowed_teams",
  ALLOWED_CHANNELS: "allowed_channels",
  ALLOWED_USERS: "allowed_users",
  ALLOW_GUESTS: "allow_guests",
  ALLOW_SHARED_CHANNELS: "allow_shared_channels",
} as const satisfies Partial<Record<keyof Settings, keyof AccessPolicy>>;

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
