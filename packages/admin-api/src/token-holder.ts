import { timingSafeEqual } from "node:crypto";
import { isTokenScope, type TokenScope } from "@crosszone/contracts";
import { digestOf } from "./token-text.ts";

/** The holder of a valid token. */
export interface TokenHolder {
  /** `token:` and the token's name, or `bootstrap` for one of ADMIN_TOKENS. */
  readonly actor: string;
  readonly scopes: readonly TokenScope[];
  /** When the token expires, Unix milliseconds. Absent: never. */
  readonly expiresAt?: number;
}

/** The stored tokens. */
export interface StoredTokens {
  /** Returns the holder of the live token with this digest. */
  readonly find: (digest: string) => Promise<TokenHolder | undefined>;
  /** Whether a live token exists, with this scope if one is given. */
  readonly hasLive: (scope?: TokenScope) => Promise<boolean>;
}

export const noStoredTokens: StoredTokens = { find: async () => undefined, hasLive: async () => false };

/** The tokens that the API accepts. Without any, the API is off. */
export interface ApiTokens {
  /** Returns ADMIN_TOKENS. Called for each request, because they may come from a file. */
  readonly tokens: () => readonly string[];
  readonly stored: StoredTokens;
}

/** The actor of a request with one of ADMIN_TOKENS. No stored token has this name. */
export const bootstrap = "bootstrap";

const everyScope = isTokenScope.schema.enum as readonly TokenScope[];

/**
 * Returns the holder of a token by its digest (`digestOf`); undefined when the token is unknown, expired or revoked. One of ADMIN_TOKENS has
 * every scope while no live token has `tokens:write`, and no scope afterwards. Reads the store each time.
 */
export async function findHolder({ tokens, stored }: ApiTokens, digest: string): Promise<TokenHolder | undefined> {
  if (!isAmong(tokens(), digest)) return stored.find(digest);
  return { actor: bootstrap, scopes: (await stored.hasLive("tokens:write")) ? [] : everyScope };
}

/** Compares every token in constant time. */
function isAmong(tokens: readonly string[], digest: string): boolean {
  const given = Buffer.from(digest);
  return tokens.reduce((found, token) => timingSafeEqual(Buffer.from(digestOf(token)), given) || found, false);
}
