import type { ConfigProblem, ConfigValues } from "@crosszone/service-kit";
import type { verificationConstants } from "../config/constants.ts";
import type { fileVariables } from "../config/file-variables.ts";
import type { policyVariables } from "./policy-variables.ts";
import type { AccessPolicy } from "./access-policy.ts";
import type { PolicyLimits } from "./create-policies.ts";
import { PolicyFileError, readPolicyFile } from "./policy-file.ts";

type PolicyValues = ConfigValues<typeof policyVariables>;
type Config = Partial<PolicyValues>;

/** The variables that the policy file replaces. */
const replaced = [
  "ALLOWED_TEAMS",
  "ALLOWED_CHANNELS",
  "ALLOWED_USERS",
  "ALLOW_GUESTS",
  "ALLOW_SHARED_CHANNELS",
] as const;

/** Returns the policy of the variables. An unset variable allows nothing. */
export function policyOfVariables(config: Config): AccessPolicy {
  return {
    allowed_teams: new Set(config.ALLOWED_TEAMS),
    allowed_channels: new Set(config.ALLOWED_CHANNELS),
    allowed_users: new Set(config.ALLOWED_USERS),
    allow_guests: config.ALLOW_GUESTS ?? false,
    allow_shared_channels: config.ALLOW_SHARED_CHANNELS ?? false,
    channel_agents: new Map(),
  };
}

/** Returns the limits of the policy. `MAX_FILE` limits both the files of a message and the files that are read. */
export function policyLimitsOf(
  config: PolicyValues &
    Pick<ConfigValues<typeof fileVariables & typeof verificationConstants>, "MAX_FILE" | "SLACK_LOOKUP_TIMEOUT_MS">,
): PolicyLimits {
  return {
    userPerMinute: config.USER_MESSAGES_PER_MINUTE,
    channelPerMinute: config.CHANNEL_MESSAGES_PER_MINUTE,
    teamPerMinute: config.TEAM_MESSAGES_PER_MINUTE,
    threadPerHour: config.THREAD_MESSAGES_PER_HOUR,
    mostWaiting: config.MAX_WAITING_PER_THREAD,
    mostCharacters: config.MAX_QUESTION_CHARACTERS,
    mostFiles: config.MAX_FILES,
    mostFileBytes: config.MAX_FILE,
    lookupTimeoutMs: config.SLACK_LOOKUP_TIMEOUT_MS,
  };
}

/** Returns the problems of the policy file, and of variables that conflict with it. */
export function policyProblems(config: Config): ConfigProblem[] {
  const path = config.POLICY_FILE;
  if (path === undefined) return [];
  const beside = replaced
    .filter((name) => config[name] !== undefined)
    .map((name) => ({ name, wrong: "is set, and so is POLICY_FILE: keep one of the two" }));
  return [...beside, ...fileProblems(path)];
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
