import { type Check, failed, passed, skipped, warned } from "@crosszone/ops/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import type { SlackProbe } from "./slack-probe.ts";

const socketCures = new Map([
  ["missing_scope", "Create an app-level token with the scope connections:write, in the app's Basic Information."],
  ["not_allowed_token_type", "Set SLACK_APP_TOKEN to the app-level token, which starts with xapp-."],
  ["forbidden_access", "Turn Socket Mode on in the app."],
]);

/** Checks that Slack opens a socket for the app-level token. The returned URL is not used, and expires. */
export function checkSlackSocket(appToken: string | undefined, probe: SlackProbe): Check {
  return {
    name: "slack socket mode",
    needs: ["slack reachable"],
    reads: ["SLACK_APP_TOKEN", "SLACK_API_URL"],
    run: async () => {
      if (appToken === undefined) return skipped("SLACK_APP_TOKEN is not set: events come over HTTP");
      const { ok, error = "", body } = await probe.call("apps.connections.open", { token: appToken });
      if (ok && /^wss?:/.test(String(body["url"]))) return passed("Slack opens a socket for SLACK_APP_TOKEN");
      return failed(
        `Slack rejects SLACK_APP_TOKEN: ${error || "invalid response"}`,
        socketCures.get(error) ??
          "Copy the app-level token again, from Basic Information of the app, and turn Socket Mode on.",
      );
    },
  };
}

/** Checks the format of the signing secret. Only Slack's next event proves that the secret is right. */
export function checkSlackSigningSecret({
  signingSecret,
  appToken,
}: {
  readonly signingSecret: string | undefined;
  readonly appToken: string | undefined;
}): Check {
  return {
    name: "slack signing secret",
    reads: ["SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN"],
    run: () => {
      if (appToken !== undefined) return skipped("events come over Socket Mode");
      if (/^[0-9a-f]{32}$/.test(signingSecret ?? ""))
        return passed("has the right format; Slack's first event will prove it");
      return warned(
        "is not 32 hexadecimal digits, as Slack's are",
        "Copy the Signing Secret from Basic Information, App Credentials, not the Client Secret or the Verification Token.",
      );
    },
  };
}

/** Advice for Slack's error codes. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const oauthCures = new Map([
  ["invalid_client_id", "Copy the Client ID again, from Basic Information, App Credentials."],
  [
    "bad_client_secret",
    "Copy the Client Secret again, from Basic Information, App Credentials; not the Signing Secret.",
  ],
]);

/** Checks that Slack knows the app to install. Slack checks the client's credentials before the code, so an invalid code is enough. */
export function checkSlackOAuth(config: Partial<VerificationConfig>, probe: SlackProbe): Check {
  return {
    name: "slack oauth",
    needs: ["slack reachable"],
    reads: ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_API_URL"],
    run: async () => {
      const { SLACK_CLIENT_ID: client_id = "", SLACK_CLIENT_SECRET: client_secret = "" } = config;
      const args = { client_id, client_secret, code: "asked-by-the-doctor" };
      const { error = "" } = await probe.call("oauth.v2.access", { args });
      if (error === "invalid_code")
        return passed("Slack knows the app; each workspace that installs it gets its own token");
      const cure = oauthCures.get(error);
      if (cure === undefined) return warned(`Slack answered a test call with ${error}`, "Try again in a moment.");
      return failed(`Slack rejects SLACK_CLIENT_ID: ${error}`, cure);
    },
  };
}
