import { bearerHeaders, type Credentials, type ProofHeaders } from "./credentials.ts";

export interface FetchedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface TokenCacheOptions {
  readonly fetch: () => Promise<FetchedToken>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the headers that carry the token; by default only `authorization`. */
  readonly toHeaders?: (token: string) => ProofHeaders;
}

/** A token is renewed this long before its expiry, milliseconds, or after half of a shorter lifetime. */
const renewBeforeMs = 300_000;
/** A token that expires sooner than this is not sent, because it could expire in transit. Milliseconds. */
const leastLeftMs = 20_000;
/** Minimum time between two fetches while a valid token exists, milliseconds. */
const pauseMs = 10_000;

interface CachedToken {
  readonly headers: ProofHeaders;
  readonly expiresAt: number;
  readonly fetchedAt: number;
}

/**
 * Caches a token while it is valid. The token is renewed before it expires while requests continue with the old one. Concurrent callers
 * share one fetch. A failed renewal is retried later; it is an error only without a valid token.
 */
export function createTokenCache({ fetch, now, toHeaders = bearerHeaders }: TokenCacheOptions): Credentials {
  let cached: CachedToken | undefined;
  let renewAt = 0;
  let pending: Promise<ProofHeaders> | undefined;

  const renew = (): Promise<ProofHeaders> => {
    renewAt = now() + pauseMs;
    pending ??= fetch()
      .then(({ token, expiresAt }) => {
        const fetchedAt = now();
        cached = { headers: toHeaders(token), expiresAt, fetchedAt };
        // The source may cache tokens and return the same one again.
        const early = Math.min(renewBeforeMs, (expiresAt - fetchedAt) / 2);
        renewAt = Math.max(expiresAt - early, fetchedAt + pauseMs);
        return cached.headers;
      })
      .finally(() => (pending = undefined));
    return pending;
  };

  return {
    headers: () => {
      const time = now();
      if (cached === undefined || cached.expiresAt - time < leastLeftMs) return renew();
      // The renewal runs in the background, so its failure is ignored here.
      if (time >= renewAt) renew().catch(() => undefined);
      return cached.headers;
    },
    invalidate: (refused) => {
      if (cached?.headers !== refused) return true;
      // Fetching again right after a fetch would not help.
      if (now() - cached.fetchedAt < pauseMs) return false;
      cached = undefined;
      return true;
    },
  };
}
