import { readFileSync } from "node:fs";
import { groupOf, isLoopback, matching, secret, url, variable } from "@crosszone/service-kit";
import { z } from "zod";

/** The credentials of the Slack app. */
export const slackVariables = {
  ...groupOf("Connect Slack", {
    SLACK_BOT_TOKEN: variable(matching(/^xoxb-\S+$/, "a bot token", ", which starts with xoxb-").optional(), {
      secret: true,
    })`
      Bot token of the Slack app, for one workspace or organization. Use SLACK_CLIENT_ID instead for several workspaces. Verification
      rereads the file when Slack rejects the token.`,
    SLACK_SIGNING_SECRET: variable(secret(32).optional(), { secret: true })`
      Signing secret of the Slack app. It proves that a request comes from Slack. Required without SLACK_APP_TOKEN.`,
    SLACK_APP_TOKEN: variable(matching(/^xapp-\S+$/, "an app-level token", ", which starts with xapp-").optional(), {
      secret: true,
    })`
      App-level token. With it, events arrive over Socket Mode, so Slack needs no public URL.`,
    SLACK_APP_ID: variable(matching(/^A[A-Z0-9]+$/, "an app id", ", which starts with A").optional(), {
      example: "A0123456789",
    })`
      ID of the Slack app. Verification refuses events of other apps. If unset, verification asks Slack, which needs the
      scope users:read.`,
    SLACK_API_URL: variable(url(), { default: "https://slack.com/api/" })`
      URL of Slack's Web API. Set it for GovSlack (https://slack-gov.com/api/) or for a local Slack.`,
  }),
  ...groupOf("Install in several workspaces", {
    SLACK_CLIENT_ID: variable(
      matching(/^\d+\.\d+$/, "a client id", ": two numbers with a dot between them").optional(),
      { example: "123456789012.1234567890123" },
    )`
      Client ID of the Slack app. With it, each workspace installs the app by OAuth. Tokens are stored encrypted.`,
    SLACK_CLIENT_SECRET: variable(secret(32).optional(), { secret: true })`
      Client secret of the Slack app. Required with SLACK_CLIENT_ID.`,
    SLACK_REDIRECT_URL: variable(url().optional(), { example: "https://crosszone.example.com/slack/oauth_redirect" })`
      Public URL of /slack/oauth_redirect on this zone. List it as a redirect URL of the app. Required with
      SLACK_CLIENT_ID.`,
  }),
};

/** Slack's clouds: the origins of the Web API, of files, and of answers to slash commands. https://docs.slack.dev/enterprise/govslack */
const clouds = [
  { api: "https://slack.com", files: "https://files.slack.com", hooks: "https://hooks.slack.com" },
  { api: "https://slack-gov.com", files: "https://files.slack-gov.com", hooks: "https://hooks.slack-gov.com" },
];

/** Returns true if a Web API URL is Slack's own or on this machine, because the bot's token is sent there. */
export function isSlackApi(apiUrl: string): boolean {
  const { origin, hostname } = new URL(apiUrl);
  return isLoopback(hostname) || clouds.some(({ api }) => api === origin);
}

/**
 * Returns the origin of files, or that for answers to slash commands, of a Web API: that of the same cloud, or the origin itself for a local
 * Slack.
 */
export function slackOrigin(what: "files" | "hooks", apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return clouds.find(({ api }) => api === origin)?.[what] ?? origin;
}

const manifest = z
  .object({
    display_information: z.object({ name: z.string() }),
    oauth_config: z.object({
      scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
    }),
  })
  .transform(({ display_information: { name }, oauth_config: { scopes } }) => {
    return { name, scopes: { bot: scopes.bot, optional: scopes.bot_optional } };
  });

/**
 * Reads the app's name and the scopes that its bot requests. A workspace can decline the optional ones. slack-app-manifest.json lies next to the zone's code in the repository and in deployments.
 */
export function readManifest(): Readonly<z.output<typeof manifest>> {
  const file = new URL("../../slack-app-manifest.json", import.meta.url);
  return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
}
