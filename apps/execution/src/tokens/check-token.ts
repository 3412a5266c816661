import { type ApiTokens, findHolder, noStoredTokens } from "@crosszone/admin-api";
import { type CheckTokenParams, type CheckTokenResult, ZoneError } from "@crosszone/contracts";

/** Returns the holder of a token. Throws `unauthorized` unless the token is valid and has the scope. */
export type CheckToken = (token: CheckTokenParams) => Promise<CheckTokenResult>;

export const createCheckToken =
  (known: ApiTokens): CheckToken =>
  async ({ digest, scope }) => {
    const holder = await findHolder(known, digest);
    if (holder?.scopes.includes(scope)) return { name: holder.actor.replace(/^token:/, "") };
    throw new ZoneError("unauthorized");
  };

/** For a zone without the API. */
export const noToken: CheckToken = createCheckToken({ tokens: () => [], stored: noStoredTokens });
