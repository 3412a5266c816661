import { failed, type Finding, passed, type Row, skipped, warned } from "@crosszone/ops/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import type { AccessPolicy } from "../../policy/access-policy.ts";
import { readPolicyFile } from "../../policy/policy-file.ts";
import { policyVariables } from "../../policy/policy-variables.ts";
import { callSlack } from "./call-slack.ts";

/** Slack allows about fifty calls of a method a minute, so a longer list is checked in part. */
const mostTried = 40;

/** The lists of the policy, and how Slack looks up their ids. */
const listed = [
  ["teams", "team.info", "team"],
  ["channels", "conversations.info", "channel"],
  ["users", "users.info", "user"],
] as const;

/** Why the policy still denies an id that Slack knows: a member of Slack's answer, unless the policy allows it. */
const oddities: readonly [member: string, why: string, unless?: keyof AccessPolicy][] = [
  ["is_archived", "is archived"],
  ["is_ext_shared", "is shared, and shared channels are not allowed", "allow_shared_channels"],
  ["deleted", "is deactivated"],
  ["is_bot", "is a bot"],
  ["is_restricted", "is a guest, and guests are not allowed", "allow_guests"],
  ["is_ultra_restricted", "is a guest, and guests are not allowed", "allow_guests"],
];

/** Returns the rows that look up the teams, channels and users of the policy. */
export const policyRows = (config: VerificationConfig, needs: readonly string[]): Row[] =>
  listed.map((list) => ({
    name: `allowed ${list[0]}`,
    needs,
    variables: Object.keys(policyVariables),
    probe: (signal) => lookUp(list, config, signal),
  }));

/** Checks that Slack knows each listed team, channel or user, and that the policy allows them. */
async function lookUp(
  [list, method, argument]: (typeof listed)[number],
  config: VerificationConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "", POLICY_FILE: file } = config;
  const policy = readPolicyFile(file);
  const ids = [...policy[`allowed_${list}`]].filter((id) => id !== "dm");
  if (ids.length === 0) return skipped("the list is empty");
  const [unknown, odd]: [string[], string[]] = [[], []];
  for (const id of ids.slice(0, mostTried)) {
    signal.throwIfAborted();
    const { error, body } = await callSlack(url, method, { token, [argument]: id });
    if (error?.endsWith("_not_found") === false) return skipped(`Slack rejects ${method}: ${error}`);
    const found = (body[argument] ?? {}) as Readonly<Record<string, unknown>>;
    const why = oddities.find(([member, , unless]) => found[member] === true && !(unless && policy[unless]))?.[1];
    const isOutside = found["is_member"] === false && found["is_im"] !== true;
    if (error) unknown.push(`Slack does not know ${id}: correct or remove it.`);
    else if (why ?? isOutside) odd.push(`${id} ${why ?? "does not have the app as a member"}.`);
  }
  const rest = ids.length > mostTried ? `; ${ids.length - mostTried} more were not checked` : "";
  if (unknown.length > 0)
    return failed(`${unknown.length} of ${ids.length} cannot be found${rest}`, ...unknown, ...odd);
  if (odd.length > 0) return warned(`${odd.length} of ${ids.length} are still denied${rest}`, ...odd);
  return passed(`Slack knows ${ids.length === 1 ? "the one" : `all ${ids.length}`}${rest}`);
}
