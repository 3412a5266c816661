import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  isLoopback,
  type ZoneVariables,
} from "@crosszone/service-kit";
import { redirectPath } from "../edge/install/install-pages.ts";
import type { policyVariables } from "../policy/policy-variables.ts";
import { isSlackApi, type slackVariables } from "../slack/slack-variables.ts";
import type { questionVariables } from "./variables.ts";

type Config = ConfigValues<
  typeof slackVariables & typeof questionVariables & typeof policyVariables & Pick<ZoneVariables, "DATA_KEYS">
>;

/** Slack sends its code to this URL. */
const redirectExpected = `https: and a host, or a host on this machine, and the path ${redirectPath}`;
const slackExpected = "https://slack.com/api/, https://slack-gov.com/api/, or a host on this machine";
const bothWays =
  "is set, and so is SLACK_CLIENT_ID: keep SLACK_BOT_TOKEN for one workspace, or SLACK_CLIENT_ID for several";

/** The app serves one workspace by its token, or several by OAuth. Its token goes only to Slack, and events need one way in. */
export function slackProblems(config: Partial<Config>): ConfigProblem[] {
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
export function slackWarnings(config: Config): string[] {
  const isClosed = config.SLACK_CLIENT_ID !== undefined && config.POLICY_FILE === undefined;
  return [
    ...(isForwarded(config)
      ? [
          "SLACK_TOKEN_FORWARDING=real sends the bot token to execution with every task. Anyone who reads it there can act as the app. Set it to handle once the peer supports handles.",
        ]
      : []),
    ...(isClosed
      ? [
          "POLICY_FILE is not set: with SLACK_CLIENT_ID, no workspace can install the app. List those that can in its allowed_teams.",
        ]
      : []),
  ];
}
