import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import { InstallRefusedError } from "./install-refusal.ts";

/** How long a person can take on Slack's page, milliseconds. */
export const stateMs = 600_000;

/**
 * The `state` of OAuth: proves that a browser returning from Slack was sent there by this zone.
 * https://www.rfc-editor.org/rfc/rfc6749#section-10.12
 */
export interface InstallStates {
  readonly issue: () => string;
  /** Accepts a state once. Rejects with an `InstallRefusedError` if it was not issued here, has expired, or was used. */
  readonly spend: (state: string) => Promise<void>;
}

/**
 * Makes signed states from an expiry time and random bytes. Only used states are stored. The signing key is derived from the app's client
 * secret, so all processes of the zone share it. `now` is in Unix milliseconds.
 */
export function createInstallStates(
  { db }: VerificationDatabase,
  { clientSecret, now }: { readonly clientSecret: string; readonly now: () => number },
): InstallStates {
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
      const used = db.insertInto("spent_state").values({ digest, expires_at: Number(end) });
      const once = used.onConflict((conflict) => conflict.column("digest").doNothing());
      const { numInsertedOrUpdatedRows: rows = 0n } = await once.executeTakeFirstOrThrow();
      if (rows === 0n) throw new InstallRefusedError("state_spent");
    },
  };
}
