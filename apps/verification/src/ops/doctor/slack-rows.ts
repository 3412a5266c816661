import {
  clockRow,
  failed,
  failedBy,
  type Finding,
  passed,
  reachableRow,
  type Row,
  skipped,
  warned,
} from "@crosszone/ops/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import { readManifest } from "../../slack/read-manifest.ts";
import { originOf } from "../../slack/slack-variables.ts";
import { callSlack, type SlackAnswer } from "./call-slack.ts";
import { policyRows } from "./policy-rows.ts";

const basics = "from Basic Information, App Credentials";
const oauthPage = "OAuth & Permissions of the app";

/** Returns the rows of Slack: its connection, the app's credentials and its permissions. */
export function slackRows(config: VerificationConfig): Row[] {
  const { SLACK_API_URL: url, SLACK_APP_TOKEN: appToken } = config;
  const variables = ["SLACK_API_URL"];
  const peer = { variable: "SLACK_API_URL", whenDown: "Start the local Slack" };
  const { row, reached } = reachableRow({ name: "slack reachable", variables }, () => ({ ...peer, url }));
  const needs = ["slack reachable"];
  return [
    row,
    ...(config.SLACK_CLIENT_ID === undefined ? workspaceRows(config) : [oauthRow(config)]),
    {
      // Only Slack's next event proves that the secret is right.
      name: "slack signing secret",
      variables: ["SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN"],
      probe: () => {
        if (appToken !== undefined) return skipped("events come over Socket Mode");
        if (/^[0-9a-f]{32}$/.test(config.SLACK_SIGNING_SECRET ?? ""))
          return passed("has the right format; Slack's first event will prove it");
        return warned("is not 32 hexadecimal digits, as Slack's are");
      },
      advice: `Copy the Signing Secret ${basics}, not the Client Secret or the Verification Token.`,
    },
    {
      name: "slack socket mode",
      needs,
      variables: ["SLACK_APP_TOKEN", "SLACK_API_URL"],
      // The returned URL is not used, and expires.
      probe: async () => {
        if (appToken === undefined) return skipped("SLACK_APP_TOKEN is not set: events come over HTTP");
        const { error } = await callSlack(url, "apps.connections.open", { token: appToken });
        if (error) return failedBy(error, `Slack rejects SLACK_APP_TOKEN: ${error}`);
        return passed("Slack opens a socket for SLACK_APP_TOKEN");
      },
      advice: {
        missing_scope: "Create an app-level token with the scope connections:write, in the app's Basic Information.",
        not_allowed_token_type: "Set SLACK_APP_TOKEN to the app-level token, which starts with xapp-.",
        forbidden_access: "Turn Socket Mode on in the app.",
        other: "Copy the app-level token again, from Basic Information of the app, and turn Socket Mode on.",
      },
    },
    reachableRow({ name: "slack files reachable", variables }, () => ({ ...peer, url: originOf("files", url) })).row,
    clockRow({ name: "slack clock", needs }, reached, {
      peer: "Slack",
      limitSeconds: 300,
      consequence: "every event is refused as stale",
    }),
  ];
}

/** The row of an app that workspaces install. Slack checks the client before the code, so an invalid code is enough. */
const oauthRow = (config: VerificationConfig): Row => ({
  name: "slack oauth",
  needs: ["slack reachable"],
  variables: ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_API_URL"],
  probe: async () => {
    const { SLACK_CLIENT_ID: client_id = "", SLACK_CLIENT_SECRET: client_secret = "" } = config;
    const args = { client_id, client_secret, code: "asked-by-the-doctor" };
    const { error = "" } = await callSlack(config.SLACK_API_URL, "oauth.v2.access", args);
    if (error === "invalid_code")
      return passed("Slack knows the app; each workspace that installs it gets its own token");
    if (/^(invalid_client_id|bad_client_secret)$/.test(error))
      return failedBy(error, `Slack rejects SLACK_CLIENT_ID: ${error}`);
    return warned(`Slack answered a test call with ${error}`);
  },
  // https://docs.slack.dev/reference/methods/oauth.v2.access#errors
  advice: {
    invalid_client_id: `Copy the Client ID again, ${basics}.`,
    bad_client_secret: `Copy the Client Secret again, ${basics}; not the Signing Secret.`,
    other: "Try again in a moment.",
  },
});

/** Returns the rows of the one workspace: its token, and what the token may do. */
function workspaceRows(config: VerificationConfig): Row[] {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "" } = config;
  // Slack's response to `auth.test`, for the rows that need it.
  let identity: SlackAnswer | undefined;
  const needs = ["slack token"];
  return [
    {
      name: "slack token",
      needs: ["slack reachable"],
      variables: ["SLACK_BOT_TOKEN", "SLACK_API_URL"],
      probe: async () => {
        identity = await callSlack(url, "auth.test", { token });
        const { error, body } = identity;
        if (error) return failedBy(error, `Slack rejects SLACK_BOT_TOKEN: ${error}`);
        if (typeof body["bot_id"] !== "string") return failedBy("no_bot", "SLACK_BOT_TOKEN is not a bot token");
        const [team, team_id, user, user_id] = ["team", "team_id", "user", "user_id"].map((key) => String(body[key]));
        return passed(`team ${team} (${team_id}), bot ${user} (${user_id})`);
      },
      // https://docs.slack.dev/reference/methods/auth.test#errors
      advice: {
        no_bot: "Use the token that starts with xoxb-.",
        invalid_auth: `Copy the Bot User OAuth Token again, from ${oauthPage}.`,
        token_revoked: "Install the app again, and copy its new token.",
        token_expired: "Token rotation is on for this app: turn it off in the manifest, and install the app again.",
        account_inactive: "The app was removed from the workspace, or its installer left: install it again.",
        org_login_required: "The workspace is being moved into an organization: try again later.",
        ratelimited: "Try again in a minute.",
        other: "Check https://status.slack.com, then try again.",
      },
    },
    { name: "slack scopes", needs, probe: () => judgeScopes(identity?.scopes) },
    {
      name: "slack app id",
      needs,
      variables: ["SLACK_APP_ID"],
      probe: () => judgeAppId(config, String(identity?.body["bot_id"])),
    },
    ...policyRows(config, needs),
  ];
}

/** Compares the token's scopes with those of the manifest. */
function judgeScopes(granted: readonly string[] | undefined): Finding {
  if (granted === undefined) return skipped("Slack did not return the token's scopes");
  const { bot, optional } = readManifest().scopes;
  const missing = bot.filter((scope) => ![...granted, ...optional].includes(scope));
  const more = granted.filter((scope) => ![...bot, ...optional].includes(scope));
  const counted = ({ length }: readonly string[]): string => (length === 1 ? "1 scope" : `${length} scopes`);
  const remove = more.length > 0 ? [`Remove what Crosszone does not need in ${oauthPage}: ${more.join(", ")}.`] : [];
  const add = `Add what is missing in ${oauthPage}, or use slack-app-manifest.json, and reinstall the app.`;
  if (missing.length > 0) return failed(`${counted(missing)} missing: ${missing.join(", ")}`, add, ...remove);
  if (more.length > 0) return warned(`${counted(more)} more than needed: ${more.join(", ")}`, ...remove);
  return passed(`all ${granted.length} scopes of the manifest`);
}

/** Checks that the tokens belong to the configured app. An app-level token contains its app's id. */
async function judgeAppId(config: VerificationConfig, bot: string): Promise<Finding> {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "", SLACK_APP_TOKEN: appToken = "", SLACK_APP_ID: set } = config;
  // It needs the scope `users:read`, which an app may not have.
  const { error, body } = await callSlack(url, "bots.info", { token, bot });
  const told = (body["bot"] as { app_id?: string } | undefined)?.app_id;
  const inToken = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken)?.[1];
  const real = told ?? inToken;
  if (told && inToken && told !== inToken)
    return failed(`SLACK_BOT_TOKEN is of app ${told}, SLACK_APP_TOKEN of ${inToken}`, "Use both tokens of one app.");
  if (set === undefined && told !== undefined) return passed(`${told}, as returned by Slack`);
  if (set === undefined)
    return warned(
      "SLACK_APP_ID is not set and Slack does not return it: events of any app with this signing secret are accepted",
      `Set SLACK_APP_ID${real === undefined ? "" : ` to ${real}`}, or give the app the scope users:read.`,
    );
  if (real === undefined) return skipped(`Slack does not return the token's app id (${error ?? "none"})`);
  if (real === set) return passed(set);
  const says = `SLACK_APP_ID is ${set}, but the token belongs to app ${real}: every event is refused`;
  return failed(says, `Set SLACK_APP_ID to ${real}, or use the token of app ${set}.`);
}
