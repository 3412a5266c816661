import { defineConfig, isLoopback, loadConfig } from "@crosszone/service-kit";
import type { ConfigProblem, ConfigValues, Environment, LoadedConfig } from "@crosszone/service-kit";
import { executionLinkVariables } from "./config/execution-link-variables.ts";
import { listeningVariables } from "./config/listening-variables.ts";
import { loggingVariables } from "./config/logging-variables.ts";
import { questionVariables } from "./config/question-variables.ts";
import { slackVariables } from "./config/slack-variables.ts";
import { isReadableOnTheWay } from "./transport/is-readable-on-the-way.ts";

/** Every variable that the verification zone reads. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...listeningVariables,
  ...executionLinkVariables,
  ...questionVariables,
  ...loggingVariables,
});

/** What the variables say once they are read. */
export type VerificationConfig = ConfigValues<typeof verificationConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadVerificationConfig(env: Environment): LoadedConfig<typeof verificationConfig> {
  return loadConfig(verificationConfig, env, problemsBetween);
}

/**
 * What no variable can say alone: secrets go to this machine or over TLS only, and one of the two ways in is set up. Variables that
 * could not be read are absent.
 */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  const { EXECUTION_URL: execution, SLACK_API_URL: slack } = config;
  const problems: ConfigProblem[] = [];
  if (config.SLACK_APP_TOKEN === undefined && config.SLACK_SIGNING_SECRET === undefined)
    problems.push({ name: "SLACK_SIGNING_SECRET", wrong: "is not set, and neither is SLACK_APP_TOKEN" });
  if (execution !== undefined && isReadableOnTheWay(execution))
    problems.push({ name: "EXECUTION_URL", wrong: "is not safe", expected: "https:, or a host on this machine" });
  else if (execution !== undefined && !isLoopback(new URL(execution).hostname) && !config.EXECUTION_TOKEN?.length)
    problems.push({ name: "EXECUTION_TOKEN", wrong: "is not set, and EXECUTION_URL is not on this machine" });
  if (slack !== undefined && !slack.startsWith("https://slack.com/") && !isLoopback(new URL(slack).hostname))
    problems.push({
      name: "SLACK_API_URL",
      wrong: "is not safe",
      expected: "https://slack.com/api/, or a host on this machine",
    });
  return problems;
}
