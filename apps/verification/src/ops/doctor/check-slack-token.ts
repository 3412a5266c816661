import { failed, passed, type Check } from "@crosszone/service-kit/doctor";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

export interface SlackTokenCheck {
  readonly check: Check;
  /** Slack's response to `auth.test`, for dependent checks; undefined until the check has passed. */
  readonly identity: () => SlackProbeAnswer | undefined;
}

/** Advice for Slack's error codes. https://docs.slack.dev/reference/methods/auth.test#errors */
const cures = new Map([
  ["invalid_auth", "Copy the Bot User OAuth Token again, from OAuth & Permissions of the app."],
  ["not_authed", "Copy the Bot User OAuth Token again, from OAuth & Permissions of the app."],
  ["token_revoked", "Install the app again, and copy its new token."],
  ["token_expired", "Token rotation is on for this app: turn it off in the manifest, and install the app again."],
  ["account_inactive", "The app was removed from the workspace, or its installer left: install it again."],
  ["org_login_required", "The workspace is being moved into an organisation: try again later."],
  ["ratelimited", "Slack asks for a pause: try again in a minute."],
]);

/** Checks that Slack accepts the bot token, and shows whose it is. */
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
            `Slack rejects SLACK_BOT_TOKEN: ${error}`,
            cures.get(error) ?? "Check https://status.slack.com, then try again.",
          );
        if (typeof body["bot_id"] !== "string")
          return failed("SLACK_BOT_TOKEN is not a bot token", "Use the token that starts with xoxb-.");
        identity = answer;
        return passed(
          `team ${text(body["team"])} (${text(body["team_id"])}), bot ${text(body["user"])} (${text(body["user_id"])})`,
        );
      },
    },
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "?");
