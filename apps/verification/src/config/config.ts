import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  databaseWarnings,
  defineConfig,
  type Environment,
  loadConfig,
  type LoadedConfig,
  zoneProblems,
  zoneVariables,
} from "@crosszone/service-kit";
import { policyProblems, policyVariables } from "../policy/policy-variables.ts";
import { slackVariables } from "../slack/slack-variables.ts";
import { authVariables } from "../zone-link/auth-variables.ts";
import { linkVariables } from "../zone-link/link-variables.ts";
import { checkLink } from "../zone-link/transports.ts";
import { slackProblems, slackWarnings } from "./check-slack.ts";
import { verificationConstants } from "./constants.ts";
import { questionVariables } from "./variables.ts";

/** Every variable and constant that the verification zone reads, in the order of the reference. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...linkVariables,
  ...authVariables,
  ...policyVariables,
  ...questionVariables,
  ...zoneVariables,
  ...verificationConstants,
});

/** The values of the variables and constants. */
export type VerificationConfig = ConfigValues<typeof verificationConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadVerificationConfig(env: Environment): LoadedConfig<typeof verificationConfig> {
  const { values, files, warnings } = loadConfig(verificationConfig, env, problemsBetween);
  return { values, files, warnings: [...warnings, ...databaseWarnings(values), ...slackWarnings(values)] };
}

/** Returns the problems between variables. Variables that could not be read are absent. */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  return [slackProblems, zoneProblems, checkLink, policyProblems, viewProblems].flatMap((check) => check(config));
}

function viewProblems(config: Partial<VerificationConfig>): ConfigProblem[] {
  const { VERIFICATION_VIEW_PORT: port, VIEW_TOKENS: tokens = [] } = config;
  return brokenRules([
    [port !== undefined && tokens.length === 0, "VIEW_TOKENS", "is not set, but VERIFICATION_VIEW_PORT is"],
  ]);
}
