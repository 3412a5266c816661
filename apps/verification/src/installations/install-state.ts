import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { InstallRefusedError } from "./install-refusal.ts";

/** How long a person may take on Slack's page, milliseconds. */
export const stateMs = 600_000;

/** Remembers which states were spent. */
export interface SpentStates {
  /** Whether nobody has spent it before. `expires_at` in Unix milliseconds: from then on it need not be remembered. */
  spend(digest: string, expiresAt: number): Promise<boolean>;
}

export interface InstallStatesOptions {
  /** The app's client secret: the key of the signatures is derived from it, so all processes of the zone have the same. */
  readonly clientSecret: string;
  readonly spent: SpentStates;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The `state` of OAuth: proves that who comes back from Slack's page was sent there from here. https://www.rfc-editor.org/rfc/rfc6749#section-10.12 */
export interface InstallStates {
  readonly issue: () => string;
  /** Good once. Rejects with an `InstallRefusedError` for what was not issued here, is over, or was spent. */
  readonly spend: (state: string) => Promise<void>;
}

/** States that are kept nowhere until they are spent: when they end and a random part, signed. */
export function createInstallStates({ clientSecret, spent, now }: InstallStatesOptions): InstallStates {
  const key = Buffer.from(hkdfSync("sha256", clientSecret, "", "crosszone install state", 32));
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  return {
    issue: () => {
      const text = `${now() + stateMs}.${randomBytes(16).toString("base64url")}`;
      return `${text}.${sign(text)}`;
    },
    spend: async (state) => {
      const [, text = "", end = "", signature = ""] = /^((\d{1,15})\.[\w-]{22})\.([\w-]{43})$/.exec(state) ?? [];
      if (text === "" || !timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature)))
        throw new InstallRefusedError("state_invalid");
      if (Number(end) <= now()) throw new InstallRefusedError("state_expired");
      const digest = createHash("sha256").update(state).digest("base64url");
      if (!(await spent.spend(digest, Number(end)))) throw new InstallRefusedError("state_spent");
    },
  };
}
