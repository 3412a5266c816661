import { timingSafeEqual } from "node:crypto";
import { isTokenScope, type TokenScope } from "@crosszone/contracts";
import type { Sender } from "@crosszone/service-kit";
import { digestOf } from "./token-text.ts";

/** The holder of a valid token. */
export interface TokenHolder {
  /** `token:` and the token's name, or `bootstrap` for one of ADMIN_TOKENS. */
  readonly actor: string;
  readonly scopes: readonly TokenScope[];
  /** When the token expires, Unix milliseconds. Absent: never. */
  readonly expiresAt?: number;
}

export interface StoredTokens {
  /** Returns the holder of the live token with this digest. */
  readonly find: (digest: string) => Promise<TokenHolder | undefined>;
  /** Returns the actor of a token that is no longer live, such as `token:ci (revoked)`; undefined for an unknown digest. */
  readonly findEnded: (digest: string) => Promise<string | undefined>;
  /** Whether a live token exists, with this scope if one is given. */
  readonly hasLive: (scope?: TokenScope) => Promise<boolean>;
}

export const noStoredTokens: StoredTokens = {
  find: async () => undefined,
  findEnded: async () => undefined,
  hasLive: async () => false,
};

/** One request with valid credentials. */
export interface CredentialUse {
  /** As an author of the audit log: `token:ci`, `bootstrap`, `subject:` and a name, or `zone:` and a caller of the zone link. */
  readonly actor: string;
  readonly from: Sender;
  readonly surface: "api" | "a2a" | "mcp" | "zone";
}

/** The tokens that the API accepts. Without any, the API is off. */
export interface ApiTokens {
  /** Returns ADMIN_TOKENS. Called for each request, because they may come from a file. */
  readonly tokens: () => readonly string[];
  readonly stored: StoredTokens;
  /** Receives each use. Must not throw. */
  readonly onUse?: ((use: CredentialUse) => void) | undefined;
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
