import { randomBytes } from "node:crypto";

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
