import {
  connectionVariables,
  databaseVariables,
  databaseWarnings,
  dataKeysProblems,
  dataKeysVariables,
  defineConfig,
  loadConfig,
} from "@crosszone/service-kit";
import type { ConfigProblem, ConfigValues, Environment, LoadedConfig } from "@crosszone/service-kit";
import { tracingProblems } from "@crosszone/service-kit/tracing";
import { policyProblems, policyVariables } from "../policy/policy-variables.ts";
import { isFilesOrigin, isSlackApi } from "../slack/slack-origins.ts";
import { slackVariables } from "../slack/slack-variables.ts";
import { authVariables } from "../zone-link/auth-variables.ts";
import { linkVariables } from "../zone-link/link-variables.ts";
import { checkLink } from "../zone-link/transports.ts";
import { checkWorkspaces, workspaceWarnings } from "./check-workspaces.ts";
import { verificationConstants } from "./constants.ts";
import {
  fileVariables,
  listeningVariables,
  loggingVariables,
  questionVariables,
  retentionVariables,
  tracingVariables,
} from "./variables.ts";

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

/** What the variables say once they are read. */
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
