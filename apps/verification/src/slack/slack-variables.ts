import { defineConfig, secret, url } from "@crosszone/service-kit";
import { z } from "zod";

/** The credentials of the Slack app. */
export const slackVariables = defineConfig({
  SLACK_BOT_TOKEN: {
    schema: z
      .string()
      .regex(/^xoxb-\S+$/)
      .describe("a bot token, which starts with xoxb-")
      .optional(),
    secret: true,
    description:
      "Bot token of the Slack app, for one workspace. Use SLACK_CLIENT_ID instead for several workspaces. Verification rereads the file when Slack rejects the token.",
    group: "Connect Slack",
  },
  SLACK_CLIENT_ID: {
    schema: z
      .string()
      .regex(/^\d+\.\d+$/)
      .describe("a client id: two numbers with a dot between them")
      .optional(),
    description:
      "Client ID of the Slack app. With it, each workspace installs the app by OAuth. Tokens are stored encrypted.",
    example: "123456789012.1234567890123",
    group: "Install in several workspaces",
  },
  SLACK_CLIENT_SECRET: {
    schema: secret(32).optional(),
    secret: true,
    description: "Client secret of the Slack app. Required with SLACK_CLIENT_ID.",
    group: "Install in several workspaces",
  },
  SLACK_REDIRECT_URL: {
    schema: url().optional(),
    description:
      "Public URL of /slack/oauth_redirect on this zone. List it as a redirect URL of the app. Required with SLACK_CLIENT_ID.",
    example: "https://crosszone.example.com/slack/oauth_redirect",
    group: "Install in several workspaces",
  },
  SLACK_SIGNING_SECRET: {
    schema: secret(32).optional(),
    secret: true,
    description:
      "Signing secret of the Slack app. It proves that a request comes from Slack. Required without SLACK_APP_TOKEN.",
    group: "Connect Slack",
  },
  SLACK_APP_TOKEN: {
    schema: z
      .string()
      .regex(/^xapp-\S+$/)
      .describe("an app-level token, which starts with xapp-")
      .optional(),
    secret: true,
    description: "App-level token. With it, events arrive over Socket Mode, so Slack needs no public URL.",
    group: "Connect Slack",
  },
  SLACK_APP_ID: {
    schema: z
      .string()
      .regex(/^A[A-Z0-9]+$/, { error: "it is not an app id" })
      .describe("an app id, which starts with A")
      .optional(),
    description:
      "ID of the Slack app. Verification refuses events of other apps. If unset, verification asks Slack, which needs the scope users:read.",
    example: "A0123456789",
    group: "Connect Slack",
  },
  SLACK_API_URL: {
    schema: url(),
    default: "https://slack.com/api/",
    description: "URL of Slack's Web API. Set it for GovSlack (https://slack-gov.com/api/) or for a local Slack.",
    group: "Connect Slack",
  },
});
