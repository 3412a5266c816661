import { type ApiTokens, findHolder, noStoredTokens } from "@crosszone/admin-api";
import { type CheckTokenParams, type CheckTokenResult, ZoneError } from "@crosszone/contracts";

/**
 * Returns the holder of a token, and counts its use. Throws `unauthorized` unless the token is valid and has the scope, with the actor of a
 * known one.
 */
export type CheckToken = (token: CheckTokenParams) => Promise<CheckTokenResult>;

export const createCheckToken =
  (known: ApiTokens): CheckToken =>
  async ({ digest, scope, from }) => {
    const holder = await findHolder(known, digest);
    if (holder === undefined) throw new ZoneError("unauthorized", { actor: await known.stored.findEnded(digest) });
    const { actor, scopes } = holder;
    if (from !== undefined) known.onUse?.({ actor, from, surface: "api" });
    if (scopes.includes(scope)) return { name: actor.replace(/^token:/, "") };
    throw new ZoneError("unauthorized", { actor });
  };

/** For a zone without the API. */
export const noToken: CheckToken = createCheckToken({ tokens: () => [], stored: noStoredTokens });
