import { SlackCallError } from "./slack-call-error.ts";

/** Which variable a call at the start depends on, and what Slack wants of it. */
const needs: ReadonlyMap<string, string> = new Map([
  ["auth.test", "SLACK_BOT_TOKEN: a bot token of the installed app"],
  [
    "apps.connections.open",
    "SLACK_APP_TOKEN: an app-level token with connections:write, and Socket Mode on in the app",
  ],
]);

/** What an operator can do about a failure at the start, in a sentence. */
export function adviceOn(error: unknown): string {
  if (!(error instanceof SlackCallError) || error.failure !== "refused")
    return "nothing yet: it is tried again; if it stays so, look whether Slack and SLACK_API_URL can be reached";
  const need = needs.get(error.method) ?? "the tokens of the app";
  return `Slack refuses this with ${error.code}, and will until it is mended: check ${need}; then start again`;
}
