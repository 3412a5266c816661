import { defineConfig, secret, url } from "@crosszone/service-kit";
import { z } from "zod";

/** How the app proves who it is to Slack, and Slack to it. */
export const slackVariables = defineConfig({
  SLACK_BOT_TOKEN: {
    schema: z
      .string()
      .regex(/^xoxb-\S+$/)
      .describe("a bot token, which starts with xoxb-")
      .optional(),
    secret: true,
    description:
      "Bot token of the Slack app, for one workspace. Required unless SLACK_CLIENT_ID is set. It leaves this zone for Slack only, unless SLACK_TOKEN_FORWARDING says otherwise. From a file, it is read again when Slack does not take it any more.",
    group: "Slack",
  },
  SLACK_CLIENT_ID: {
    schema: z
      .string()
      .regex(/^\d+\.\d+$/)
      .describe("a client id: two numbers with a dot between them")
      .optional(),
    description:
      "Client id of the Slack app. When it is set, workspaces install the app by OAuth, and each has a token of its own, which is kept in the database.",
    example: "123456789012.1234567890123",
    group: "Slack",
  },
  SLACK_CLIENT_SECRET: {
    schema: secret(32).optional(),
    secret: true,
    description: "Client secret of the Slack app. Required with SLACK_CLIENT_ID.",
    group: "Slack",
  },
  SLACK_REDIRECT_URL: {
    schema: url().optional(),
    description:
      "Where Slack sends people back to who install the app: /slack/oauth_redirect of this zone, as browsers reach it, and one of the redirect URLs of the app. Required with SLACK_CLIENT_ID.",
    example: "https://crosszone.example.com/slack/oauth_redirect",
    group: "Slack",
  },
  SLACK_SIGNING_SECRET: {
    schema: secret(32).optional(),
    secret: true,
    description:
      "Signing secret of the Slack app: proves that a request is from Slack. Required unless SLACK_APP_TOKEN is set.",
    group: "Slack",
  },
  SLACK_APP_TOKEN: {
    schema: z
      .string()
      .regex(/^xapp-\S+$/)
      .describe("an app-level token, which starts with xapp-")
      .optional(),
    secret: true,
    description: "App-level token. When it is set, events come over Socket Mode and not over HTTP.",
    group: "Slack",
  },
  SLACK_APP_ID: {
    schema: z
      .string()
      .regex(/^A[A-Z0-9]+$/, { error: "it is not an app id" })
      .describe("an app id, which starts with A")
      .optional(),
    description:
      "Id of the Slack app. Events and commands of any other app are refused. When unset, Crosszone asks Slack for the id, which needs the scope users:read.",
    example: "A0123456789",
    group: "Slack",
  },
  SLACK_API_URL: {
    schema: url(),
    default: "https://slack.com/api/",
    description: "Where Slack's Web API is: https://slack.com/api/, https://slack-gov.com/api/, or on this machine.",
    group: "Slack",
  },
});
