import { SlackCallError } from "../../slack/slack-call-error.ts";

/** The variable that each startup call depends on, and its required value. */
const needs: ReadonlyMap<string, string> = new Map([
  ["auth.test", "SLACK_BOT_TOKEN: a bot token of the installed app"],
  [
    "apps.connections.open",
    "SLACK_APP_TOKEN: an app-level token with connections:write, and Socket Mode on in the app",
  ],
]);

/** Returns advice for an operator about a failure at startup. */
export function adviceOn(error: unknown): string {
  if (!(error instanceof SlackCallError) || error.failure !== "refused")
    return "no action yet: the call is retried; if it keeps failing, check that Slack and SLACK_API_URL are reachable";
  const need = needs.get(error.method) ?? "the tokens of the app";
  return `Slack refuses this permanently with ${error.code}: check ${need}; then restart`;
}
