import { failed, passed, warned, type Check } from "@crosszone/service-kit/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import type { SlackProbe } from "./slack-probe.ts";

/** Advice for Slack's error codes. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const cures = new Map([
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
      const cure = cures.get(error);
      if (cure === undefined) return warned(`Slack answered a test call with ${error}`, "Try again in a moment.");
      return failed(`Slack rejects SLACK_CLIENT_ID: ${error}`, cure);
    },
  };
}
