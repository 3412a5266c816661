import { failed, passed, type Check } from "@crosszone/service-kit/doctor";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

export interface SlackTokenCheck {
  readonly check: Check;
  /** Slack's answer to `auth.test`, for checks that need it: absent until the check passed. */
  readonly identity: () => SlackProbeAnswer | undefined;
}

/** What to do about Slack's own words. https://docs.slack.dev/reference/methods/auth.test#errors */
const cures = new Map([
  ["invalid_auth", "Copy the Bot User OAuth Token again, from OAuth & Permissions of the app."],
  ["not_authed", "Copy the Bot User OAuth Token again, from OAuth & Permissions of the app."],
  ["token_revoked", "Install the app again, and copy its new token."],
  ["token_expired", "Token rotation is on for this app: turn it off in the manifest, and install the app again."],
  ["account_inactive", "The app was removed from the workspace, or its installer left: install it again."],
  ["org_login_required", "The workspace is being moved into an organisation: try again later."],
  ["ratelimited", "Slack asks for a pause: try again in a minute."],
]);

/** Whether Slack takes the bot token, and for whom. */
export function checkSlackToken(token: string, probe: SlackProbe): SlackTokenCheck {
  let identity: SlackProbeAnswer | undefined;
  return {
    identity: () => identity,
    check: {
      name: "slack token",
      needs: ["slack reachable"],
      reads: ["SLACK_BOT_TOKEN", "SLACK_API_URL"],
      run: async () => {
        const answer = await probe.call("auth.test", { token });
        const { ok, error = "", body } = answer;
        if (!ok)
          return failed(
            `Slack says ${error} to SLACK_BOT_TOKEN`,
            cures.get(error) ?? "Look at https://status.slack.com, then try again.",
          );
        if (typeof body["bot_id"] !== "string")
          return failed("SLACK_BOT_TOKEN is not the token of a bot", "Take the one that starts with xoxb-.");
        identity = answer;
        return passed(
          `team ${text(body["team"])} (${text(body["team_id"])}), bot ${text(body["user"])} (${text(body["user_id"])})`,
        );
      },
    },
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "?");
