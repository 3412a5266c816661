import { readFileSync } from "node:fs";
import type { RecordAct } from "@crosszone/audit";
import {
  type ConfigProblem,
  type ConfigValues,
  type Emit,
  followFiles,
  groupOf,
  jsonFileError,
  JsonFileError,
  jsonFileProblems,
  nonEmpty,
  parseJsonFile,
  variable,
  wholeNumber,
} from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import type { VerificationEvent } from "@crosszone/telemetry";
import { type AccessPolicy, policySchema, type PolicySource, switches } from "./access-policy.ts";
import { loadedPolicy } from "./policies.ts";

/** Reads a policy file; without one, returns the default of every member. Throws a `JsonFileError`. */
export function readPolicyFile(path: string | undefined): AccessPolicy {
  if (path === undefined) return policySchema.parse({});
  try {
    return parseJsonFile(readFileSync(path, "utf8"), policySchema);
  } catch (error) {
    throw jsonFileError(error);
  }
}

/**
 * Returns a policy source that follows a file; without one, the default of every member is in force. Each version is in the audit log before it
 * is in force. Rejects with a `JsonFileError` when the first one is invalid; a later one is refused, and the previous policy stays in force.
 */
export const followPolicyFile = (
  path: string | undefined,
  emit: Emit<VerificationEvent>,
  record: RecordAct,
): Promise<PolicySource> =>
  followFiles({
    paths: path === undefined ? [] : [path],
    read: async () => readPolicyFile(path),
    store: (policy) => record(loadedPolicy(policy, path)),
    onApplied: (policy) => emit("policy_in_force", policyInWords(policy)),
    onFailure: (error) => {
      const problems = error instanceof JsonFileError ? error.problems : [errorText(error)];
      emit("policy_refused", { problems, still: "the previous policy stays in force" });
    },
  });

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

/** Returns a policy as sentences for the log, one for each list and switch. */
export function policyInWords(policy: AccessPolicy): Record<string, string | undefined> {
  const { allowed_teams, allowed_channels, allowed_users, channel_agents, follow, channel_follow, apps, reactions } =
    policy;
  const positions = Object.entries(switches).map(([name, { logged, on, off }]) => [
    logged,
    policy[name as keyof typeof switches] ? on : off,
  ]);
  return {
    teams:
      allowed_teams.size === 0
        ? "No other team is listed: only members of the team that installed the app can ask."
        : `Members of the team that installed the app can ask, and members of ${named(allowed_teams)}.`,
    channels:
      allowed_channels.size === 0
        ? "No channel is listed: the app answers in every conversation that it is in."
        : `The app answers only in ${named(allowed_channels)}.`,
    users:
      allowed_users.size === 0
        ? "No person is listed: only members of these teams can ask."
        : `Only ${named(allowed_users)} can ask.`,
    ...(Object.fromEntries(positions) as Record<string, string>),
    channel_agents:
      channel_agents.size === 0
        ? "No channel has its own agent."
        : `Agents of channels: ${named(pairs(channel_agents))}.`,
    follow: followed[follow],
    channel_follow: channel_follow.size > 0 ? `Threads follow by channel: ${named(pairs(channel_follow))}.` : undefined,
    reactions: reactions.size > 0 ? `Reactions ask: ${named(pairs(reactions))}.` : undefined,
    apps:
      apps.size === 0
        ? "No app is listed: posts of apps as a person are no questions."
        : `Posts as a person are questions, of these apps or people: ${named(apps)}.`,
  };
}

const followed = {
  requester: "Threads follow their requesters: others mention the app.",
  everybody: "Threads follow everybody in them.",
  mentions: "Threads follow nobody: every question mentions the app.",
} satisfies Record<AccessPolicy["follow"], string>;

const pairs = (map: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...map].map(([channel, value]) => `${channel} ${value}`));

const most = 10;

function named(ids: ReadonlySet<string>): string {
  const shown = [...ids].slice(0, most).join(", ");
  return ids.size > most ? `${shown} and ${ids.size - most} more` : shown;
}
