import { isLoopback, type ConfigProblem, type ConfigValues, type dataKeysVariables } from "@crosszone/service-kit";
import { redirectPath } from "../edge/install/install-pages.ts";
import type { fileVariables } from "./variables.ts";
import type { policyVariables } from "../policy/policy-variables.ts";
import type { slackVariables } from "../slack/slack-variables.ts";

type Config = Partial<
  ConfigValues<typeof slackVariables & typeof fileVariables & typeof policyVariables & typeof dataKeysVariables>
>;

/** The variables that installing by OAuth requires. */
const withClient = ["SLACK_CLIENT_SECRET", "SLACK_REDIRECT_URL", "DATA_KEYS"] as const;

const both =
  "is set, and so is SLACK_CLIENT_ID: keep SLACK_BOT_TOKEN for one workspace, or SLACK_CLIENT_ID for several";

/** Returns the problems of a configuration that has neither or both of one workspace, by its token, and several, by OAuth. */
export function checkWorkspaces(config: Config): ConfigProblem[] {
  const { SLACK_CLIENT_ID: clientId, SLACK_BOT_TOKEN: botToken, SLACK_REDIRECT_URL: redirect } = config;
  if (clientId === undefined) {
    const orphans = (["SLACK_CLIENT_SECRET", "SLACK_REDIRECT_URL"] as const).filter(
      (name) => config[name] !== undefined,
    );
    if (botToken === undefined && orphans.length === 0)
      return [{ name: "SLACK_BOT_TOKEN", wrong: "is not set, and neither is SLACK_CLIENT_ID" }];
    return orphans.map((name) => ({ name, wrong: "is set, but SLACK_CLIENT_ID is not" }));
  }
  return [
    ...(botToken === undefined ? [] : [{ name: "SLACK_BOT_TOKEN", wrong: both }]),
    ...withClient
      .filter((name) => config[name] === undefined)
      .map((name) => ({ name, wrong: "is not set, but SLACK_CLIENT_ID is" })),
    ...(redirect === undefined ? [] : redirectProblems(redirect)),
    ...(config.SLACK_TOKEN_FORWARDING === "real"
      ? [{ name: "SLACK_TOKEN_FORWARDING", wrong: "is real, which SLACK_CLIENT_ID does not allow" }]
      : []),
  ];
}

/** Slack sends its code to this URL. */
function redirectProblems(redirect: string): ConfigProblem[] {
  const { protocol, hostname, pathname, search, hash, username } = new URL(redirect);
  const isSafe = protocol === "https:" || isLoopback(hostname);
  const isOurs = pathname === redirectPath && search === "" && hash === "" && username === "";
  if (isSafe && isOurs) return [];
  return [
    {
      name: "SLACK_REDIRECT_URL",
      wrong: isSafe ? "does not lead to the install page of this zone" : "uses http: to another machine",
      expected: `https: and a host, or a host on this machine, and the path ${redirectPath}`,
    },
  ];
}

/** Only listed workspaces can install the app. Warns if the list is empty. */
export function workspaceWarnings({
  SLACK_CLIENT_ID: clientId,
  POLICY_FILE: file,
  ALLOWED_TEAMS: teams,
}: Config): string[] {
  if (clientId === undefined || file !== undefined || (teams !== undefined && teams.length > 0)) return [];
  return [
    "ALLOWED_TEAMS is empty: with SLACK_CLIENT_ID, no workspace can install the app. List the workspaces that can.",
  ];
}
