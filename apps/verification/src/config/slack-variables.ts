import { defineConfig, secret, url } from "@crosszone/service-kit";
import { z } from "zod";

/** How the app proves who it is to Slack, and Slack to it. */
export const slackVariables = defineConfig({
  SLACK_BOT_TOKEN: {
    schema: z
      .string()
      .regex(/^xoxb-\S+$/)
      .describe("a bot token, which starts with xoxb-"),
    secret: true,
    description:
      "Bot token of the Slack app. It leaves this zone for Slack only, unless SLACK_TOKEN_FORWARDING says otherwise. From a file, it is read again when Slack does not take it any more.",
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
    description: "Id of the Slack app; events of any other app are refused.",
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
