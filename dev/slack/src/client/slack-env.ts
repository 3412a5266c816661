import type { DevSlack } from "../server/dev-slack.ts";

/** The variables that join the verification zone to the local Slack. */
export function slackEnv(slack: DevSlack): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
  };
}
