import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import { InstallRefusedError } from "./install-refusal.ts";

/** Stores used states in the zone's database, shared by all processes of the zone. */
export function createSqlSpentStates({ db }: VerificationDatabase): SpentStates {
  return {
    spend: async (digest, expires_at) => {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto("spent_state")
        .values({ digest, expires_at })
        .onConflict((conflict) => conflict.column("digest").doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}

/** How long a person can take on Slack's page, milliseconds. */
export const stateMs = 600_000;

/** Records used states. */
export interface SpentStates {
  /** Resolves with true on the first use of a state. `expiresAt` is in Unix milliseconds; the record is not needed after it. */
  spend(digest: string, expiresAt: number): Promise<boolean>;
}

export interface InstallStatesOptions {
  /** The app's client secret. The signing key is derived from it, so all processes of the zone share it. */
  readonly clientSecret: string;
  readonly spent: SpentStates;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * The `state` of OAuth: proves that a browser returning from Slack was sent there by this zone.
 * https://www.rfc-editor.org/rfc/rfc6749#section-10.12
 */
export interface InstallStates {
  readonly issue: () => string;
  /** Accepts a state once. Rejects with an `InstallRefusedError` if it was not issued here, has expired, or was used. */
  readonly spend: (state: string) => Promise<void>;
}

/** Makes signed states from an expiry time and random bytes. Only used states are stored. */
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
