/** Whether an environment has all, none or some of the settings of real Slack. */
export type SlackSettings =
  | { readonly state: "complete" | "none" }
  | { readonly state: "half"; readonly set: readonly string[]; readonly missing: string };

const names = ["SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN", "SLACK_APP_ID"];

/**
 * Checks the settings of real Slack: a bot token, or a client id for installs, and a way to receive events, which is a signing secret for
 * HTTP or an app-level token for Socket Mode.
 */
export function slackSettings(env: Readonly<Record<string, string | undefined>>): SlackSettings {
  const set = names.filter((name) => env[name] || env[`${name}_FILE`]);
  const has = (name: string): boolean => set.includes(name);
  const wayIn = has("SLACK_SIGNING_SECRET") || has("SLACK_APP_TOKEN");
  if ((has("SLACK_BOT_TOKEN") || has("SLACK_CLIENT_ID")) && wayIn) return { state: "complete" };
  if (set.length === 0) return { state: "none" };
  const missing = [
    ...(has("SLACK_BOT_TOKEN") ? [] : ["SLACK_BOT_TOKEN"]),
    ...(wayIn ? [] : ["SLACK_SIGNING_SECRET (or SLACK_APP_TOKEN)"]),
  ];
  return { state: "half", set, missing: missing.join(" and ") };
}

/** Returns the notice for partial settings, with which the local Slack starts instead of the real one. */
export function halfSetNotice(settings: SlackSettings): string | undefined {
  if (settings.state !== "half") return undefined;
  const isSet = settings.set.length === 1 ? "is set" : "are set";
  return `${settings.set.join(", ")} ${isSet}, but real Slack also needs ${settings.missing}. Starting the local Slack instead.`;
}
