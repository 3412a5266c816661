import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";
import type { SlackProbe } from "./slack-probe.ts";

const cures = new Map([
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
        cures.get(error) ??
          "Copy the app-level token again, from Basic Information of the app, and turn Socket Mode on.",
      );
    },
  };
}
