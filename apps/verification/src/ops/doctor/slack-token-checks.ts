import { type Check, failed, passed, skipped, warned } from "@crosszone/ops/doctor";
import type { ManifestScopes } from "../../slack/read-manifest.ts";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

const where = "OAuth & Permissions of the app";

/** Compares the token's scopes with those of the manifest. */
export function checkSlackScopes(manifest: ManifestScopes, identity: () => SlackProbeAnswer | undefined): Check {
  return {
    name: "slack scopes",
    needs: ["slack token"],
    run: () => {
      const granted = identity()?.scopes;
      if (granted === undefined) return skipped("Slack did not return the token's scopes");
      const missing = manifest.bot.filter((scope) => !granted.includes(scope) && !manifest.optional.includes(scope));
      const known = new Set([...manifest.bot, ...manifest.optional]);
      const more = granted.filter((scope) => !known.has(scope));
      const tooMany = `Crosszone does not need ${more.join(", ")}: remove ${more.length === 1 ? "it" : "them"} in ${where}, and reinstall the app.`;
      if (missing.length > 0)
        return failed(
          `${counted(missing.length)} missing: ${missing.join(", ")}`,
          `Add ${missing.length === 1 ? "it" : "them"} in ${where}, or use slack-app-manifest.json, and reinstall the app.`,
          ...(more.length > 0 ? [tooMany] : []),
        );
      if (more.length > 0) return warned(`${counted(more.length)} more than needed: ${more.join(", ")}`, tooMany);
      return passed(`all ${granted.length} scopes of the manifest`);
    },
  };
}

const counted = (count: number): string => (count === 1 ? "1 scope" : `${count} scopes`);

interface SlackAppIdOptions {
  readonly appId: string | undefined;
  readonly botToken: string;
  readonly appToken: string | undefined;
  readonly probe: SlackProbe;
  readonly identity: () => SlackProbeAnswer | undefined;
}

/** Checks that the token belongs to the configured app. An app-level token contains its app's id. */
export function checkSlackAppId({ appId, botToken, appToken, probe, identity }: SlackAppIdOptions): Check {
  return {
    name: "slack app id",
    needs: ["slack token"],
    reads: ["SLACK_APP_ID"],
    run: async () => {
      const told = await appIdOf(botToken, { probe, identity });
      const inToken = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken ?? "")?.[1];
      const real = told.id ?? inToken;
      if (told.id !== undefined && inToken !== undefined && told.id !== inToken)
        return failed(
          `SLACK_BOT_TOKEN belongs to app ${told.id}, SLACK_APP_TOKEN to app ${inToken}`,
          "Use both tokens of the same app.",
        );
      if (appId === undefined && told.id !== undefined) return passed(`${told.id}, as returned by Slack`);
      if (appId === undefined)
        return warned(
          "SLACK_APP_ID is not set and Slack does not return it: events of any app with this signing secret are accepted",
          `Set SLACK_APP_ID${real === undefined ? "" : ` to ${real}`}, or give the app the scope users:read.`,
        );
      if (real === undefined) return skipped(`Slack does not return the token's app id (${told.error ?? "no app id"})`);
      if (real !== appId)
        return failed(
          `SLACK_APP_ID is ${appId}, but the token belongs to app ${real}: every event is refused`,
          `Set SLACK_APP_ID to ${real}, or use the token of app ${appId}.`,
        );
      return passed(appId);
    },
  };
}

/** `bots.info` needs the scope `users:read`, which the manifest may not ask for. */
async function appIdOf(
  token: string,
  { probe, identity }: Pick<SlackAppIdOptions, "probe" | "identity">,
): Promise<{ id?: string; error?: string }> {
  const {
    ok,
    error = "",
    body,
  } = await probe.call("bots.info", { token, args: { bot: String(identity()?.body["bot_id"]) } });
  const id = (body["bot"] as { app_id?: unknown } | undefined)?.app_id;
  return ok && typeof id === "string" ? { id } : { error };
}

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
  ["org_login_required", "The workspace is being moved into an organization: try again later."],
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
