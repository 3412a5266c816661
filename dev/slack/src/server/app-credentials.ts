import { randomBytes } from "node:crypto";

/** The default scopes of the bot token: all scopes that the local Slack's methods require. */
export const BOT_SCOPES: readonly string[] = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "channels:join",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "im:write",
  "mpim:history",
  "mpim:read",
  "mpim:write",
  "pins:write",
  "reactions:read",
  "reactions:write",
  "team:read",
  "users:read",
  "users:read.email",
];

/** The secrets that an app shares with Slack. */
export interface DevSecrets {
  signingSecret: string;
  /** Starts with `xoxb-`. */
  botToken: string;
  /** Starts with `xapp-`; for Socket Mode. */
  appToken: string;
}

/** Returns the secrets of this run: the given ones, and random ones for the rest. Throws if one is empty or two are equal. */
export function devSecrets(given: Partial<DevSecrets> = {}): DevSecrets {
  const random = (): string => randomBytes(16).toString("hex");
  const secrets = {
    signingSecret: given.signingSecret ?? random(),
    botToken: given.botToken ?? `xoxb-0-0-${random()}`,
    appToken: given.appToken ?? `xapp-1-A0CROSSZONE-0-${random()}`,
  };
  const values = Object.values(secrets);
  if (values.includes("") || new Set(values).size < values.length) {
    throw new Error("the signing secret and the tokens must be set and differ from each other");
  }
  return secrets;
}
