import { auditConstants, auditVariables } from "@crosszone/audit";
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
  isLoopback,
  type ZoneVariables,
} from "@crosszone/service-kit";
import { policyProblems, policyVariables } from "../policy/policy-variables.ts";
import { slackVariables, isSlackApi } from "../slack/slack-variables.ts";
import { authVariables } from "../zone-link/auth-variables.ts";
import { linkVariables } from "../zone-link/link-variables.ts";
import { checkLink } from "../zone-link/transports.ts";
import { verificationConstants } from "./constants.ts";
import { questionVariables } from "./variables.ts";
import { redirectPath } from "../edge/install/install-pages.ts";

/** Every variable and constant that the verification zone reads, in the order of the reference. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...linkVariables,
  ...authVariables,
  ...policyVariables,
  ...questionVariables,
  ...zoneVariables,
  ...auditVariables,
  ...verificationConstants,
  ...auditConstants,
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
  return [slackProblems, zoneProblems, checkLink, policyProblems].flatMap((check) => check(config));
}

type Config = ConfigValues<typeof slackVariables & typeof questionVariables & typeof policyVariables & ZoneVariables>;

/** Slack sends its code to this URL. */
const redirectExpected = `https: and a host, or a host on this machine, and the path ${redirectPath}`;
const slackExpected = "https://slack.com/api/, https://slack-gov.com/api/, or a host on this machine";
const bothWays =
  "is set, and so is SLACK_CLIENT_ID: keep SLACK_BOT_TOKEN for one workspace, or SLACK_CLIENT_ID for several";

/** The app serves one workspace by its token, or several by OAuth. Its token goes only to Slack, and events need one way in. */
function slackProblems(config: Partial<Config>): ConfigProblem[] {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_SECRET: secret, SLACK_REDIRECT_URL: redirect } = config;
  const { SLACK_API_URL: api, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config;
  const several = config.SLACK_CLIENT_ID !== undefined;
  const lacksWays = !several && !botToken && !secret && !redirect;
  const orphan = "is set, but SLACK_CLIENT_ID is not";
  const missing = "is not set, but SLACK_CLIENT_ID is";
  const fault = several && redirect !== undefined ? redirectFault(redirect) : undefined;
  return brokenRules([
    [lacksWays, "SLACK_BOT_TOKEN", "is not set, and neither is SLACK_CLIENT_ID"],
    [!several && secret !== undefined, "SLACK_CLIENT_SECRET", orphan],
    [!several && redirect !== undefined, "SLACK_REDIRECT_URL", orphan],
    [several && botToken !== undefined, "SLACK_BOT_TOKEN", bothWays],
    [several && secret === undefined, "SLACK_CLIENT_SECRET", missing],
    [several && redirect === undefined, "SLACK_REDIRECT_URL", missing],
    [several && config.DATA_KEYS === undefined, "DATA_KEYS", missing],
    [fault !== undefined, "SLACK_REDIRECT_URL", fault ?? "", redirectExpected],
    [several && isForwarded(config), "SLACK_TOKEN_FORWARDING", "is real, which SLACK_CLIENT_ID does not allow"],
    [!appToken && !signingSecret, "SLACK_SIGNING_SECRET", "is not set, and neither is SLACK_APP_TOKEN"],
    [api !== undefined && !isSlackApi(api), "SLACK_API_URL", "is not an address of Slack", slackExpected],
  ]);
}

const isForwarded = ({ SLACK_TOKEN_FORWARDING: forwarding }: Partial<Config>): boolean => forwarding === "real";

function redirectFault(redirect: string): string | undefined {
  const { protocol, hostname, pathname, search, hash, username } = new URL(redirect);
  if (protocol !== "https:" && !isLoopback(hostname)) return "uses http: to another machine";
  const isOurs = pathname === redirectPath && search === "" && hash === "" && username === "";
  return isOurs ? undefined : "does not lead to the install page of this zone";
}

/** Warns if execution gets the bot's token, and if no workspace can install the app. */
function slackWarnings(config: Config): string[] {
  const isClosed = config.SLACK_CLIENT_ID !== undefined && config.POLICY_FILE === undefined;
  const warnings = [
    [
      isForwarded(config),
      "SLACK_TOKEN_FORWARDING=real sends the bot token to execution with every task. Anyone who reads it there can act as the app. Set it to handle once the peer supports handles.",
    ],
    [
      isClosed,
      "POLICY_FILE is not set: with SLACK_CLIENT_ID, no workspace can install the app. List those that can in its allowed_teams.",
    ],
  ] as const;
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []));
}
