import {
  type ConfigProblem,
  type ConfigValues,
  connectionVariables,
  databaseVariables,
  databaseWarnings,
  dataKeysProblems,
  dataKeysVariables,
  defineConfig,
  type Environment,
  isLoopback,
  loadConfig,
  type LoadedConfig,
} from "@crosszone/service-kit";
import { tracingProblems } from "@crosszone/service-kit/tracing";
import { redirectPath } from "../edge/install/install-pages.ts";
import { policyProblems, policyVariables } from "../policy/policy-variables.ts";
import { isFilesOrigin, isSlackApi } from "../slack/slack-origins.ts";
import { slackVariables } from "../slack/slack-variables.ts";
import { authVariables } from "../zone-link/auth-variables.ts";
import { linkVariables } from "../zone-link/link-variables.ts";
import { checkLink } from "../zone-link/transports.ts";
import { verificationConstants } from "./constants.ts";
import {
  fileVariables,
  listeningVariables,
  loggingVariables,
  questionVariables,
  retentionVariables,
  tracingVariables,
} from "./variables.ts";

type Config = Partial<
  ConfigValues<typeof slackVariables & typeof fileVariables & typeof policyVariables & typeof dataKeysVariables>
>;

/** The variables that installing by OAuth requires. */
const withClient = ["SLACK_CLIENT_SECRET", "SLACK_REDIRECT_URL", "DATA_KEYS"] as const;

const both =
  "is set, and so is SLACK_CLIENT_ID: keep SLACK_BOT_TOKEN for one workspace, or SLACK_CLIENT_ID for several";

/** Returns the problems of a configuration that has neither or both of one workspace, by its token, and several, by OAuth. */
function checkWorkspaces(config: Config): ConfigProblem[] {
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
function workspaceWarnings({ SLACK_CLIENT_ID: clientId, POLICY_FILE: file, ALLOWED_TEAMS: teams }: Config): string[] {
  if (clientId === undefined || file !== undefined || (teams !== undefined && teams.length > 0)) return [];
  return [
    "ALLOWED_TEAMS is empty: with SLACK_CLIENT_ID, no workspace can install the app. List the workspaces that can.",
  ];
}

/** Every variable and constant that the verification zone reads. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...listeningVariables,
  ...connectionVariables,
  ...databaseVariables,
  ...dataKeysVariables,
  ...linkVariables,
  ...authVariables,
  ...retentionVariables,
  ...questionVariables,
  ...fileVariables,
  ...policyVariables,
  ...loggingVariables,
  ...tracingVariables,
  ...verificationConstants,
});

/** The values of the variables and constants. */
export type VerificationConfig = ConfigValues<typeof verificationConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadVerificationConfig(env: Environment): LoadedConfig<typeof verificationConfig> {
  const loaded = loadConfig(verificationConfig, env, problemsBetween);
  const { values, warnings } = loaded;
  const forwarded = values.SLACK_TOKEN_FORWARDING === "real" ? [forwardingWarning] : [];
  return {
    ...loaded,
    warnings: [...warnings, ...databaseWarnings(values), ...forwarded, ...workspaceWarnings(values)],
  };
}

const forwardingWarning =
  "SLACK_TOKEN_FORWARDING=real sends the bot token to execution with every task. Anyone who reads it there can act as the app. Set it to handle once the peer supports handles.";

/** Returns the problems between variables. Variables that could not be read are absent. */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  return [
    ...checkWorkspaces(config),
    ...dataKeysProblems(config),
    ...tracingProblems(config),
    ...checkSlack(config),
    ...checkLink(config),
    ...policyProblems(config),
  ];
}

/** The bot's token goes only to Slack or to this machine, and events need one way in. */
function checkSlack({
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: slack,
  SLACK_FILES_ORIGIN: files,
}: Partial<VerificationConfig>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (appToken === undefined && signingSecret === undefined)
    problems.push({ name: "SLACK_SIGNING_SECRET", wrong: "is not set, and neither is SLACK_APP_TOKEN" });
  if (slack !== undefined && !isSlackApi(slack))
    problems.push({
      name: "SLACK_API_URL",
      wrong: "is not an address of Slack",
      expected: "https://slack.com/api/, https://slack-gov.com/api/, or a host on this machine",
    });
  if (files !== undefined && !isFilesOrigin(files))
    problems.push({
      name: "SLACK_FILES_ORIGIN",
      wrong: "is not an address of Slack's files",
      expected: "https://files.slack.com, https://files.slack-gov.com, or a host on this machine, without a path",
    });
  return problems;
}
