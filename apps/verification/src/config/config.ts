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
import { agentcoreVariables } from "../zone-link/agentcore-variables.ts";
import { checkExecutionLink } from "../zone-link/check-execution-link.ts";
import { checkWorkspaces, workspaceWarnings } from "./check-workspaces.ts";
import { verificationConstants } from "./constants.ts";
import { executionAuthVariables } from "../zone-link/execution-auth-variables.ts";
import { executionLinkVariables } from "../zone-link/execution-link-variables.ts";
import { fileVariables } from "./file-variables.ts";
import { listeningVariables } from "./listening-variables.ts";
import { loggingVariables } from "./logging-variables.ts";
import { policyVariables } from "../policy/policy-variables.ts";
import { questionVariables } from "./question-variables.ts";
import { retentionVariables } from "./retention-variables.ts";
import { slackVariables } from "../slack/slack-variables.ts";
import { tracingVariables } from "./tracing-variables.ts";
import { isFilesOrigin, isSlackApi } from "../slack/slack-origins.ts";
import { policyProblems } from "../policy/configured-policy.ts";

/** Every variable and constant that the verification zone reads. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...listeningVariables,
  ...connectionVariables,
  ...databaseVariables,
  ...dataKeysVariables,
  ...executionLinkVariables,
  ...agentcoreVariables,
  ...executionAuthVariables,
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

/**
 * What no variable can say alone: secrets go to this machine or over TLS only, and one of the two ways in is set up. Variables that
 * could not be read are absent.
 */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  const { SLACK_API_URL: slack, SLACK_FILES_ORIGIN: files } = config;
  const problems: ConfigProblem[] = [
    ...checkWorkspaces(config),
    ...dataKeysProblems(config),
    ...tracingProblems(config),
  ];
  if (config.SLACK_APP_TOKEN === undefined && config.SLACK_SIGNING_SECRET === undefined)
    problems.push({ name: "SLACK_SIGNING_SECRET", wrong: "is not set, and neither is SLACK_APP_TOKEN" });
  problems.push(...checkExecutionLink(config));
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
  return [...problems, ...policyProblems(config)];
}
