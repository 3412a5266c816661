import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

export interface SlackAppIdOptions {
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
