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
  /** The headers that carry the token; `authorization` alone when absent. */
  readonly toHeaders?: (token: string) => ProofHeaders;
}

/** A token is renewed this long before its end, milliseconds, or after half of a shorter life. */
const renewBeforeMs = 300_000;
/** With less than this left, a token is not sent any more: it could end on the way. */
const leastLeftMs = 20_000;
/** Shortest time between two fetches while there is a token that can be sent. */
const pauseMs = 10_000;

interface Held {
  readonly headers: ProofHeaders;
  readonly expiresAt: number;
  readonly fetchedAt: number;
}

/**
 * Keeps a token for as long as it is good. It is renewed before it ends while requests go on with the old one, and fetched once
 * however many wait for it. A renewal that fails is tried again later; only without a token that can be sent is it an error.
 */
export function createTokenCache({ fetch, now, toHeaders = bearerHeaders }: TokenCacheOptions): Credentials {
  let held: Held | undefined;
  let renewAt = 0;
  let pending: Promise<ProofHeaders> | undefined;

  const renew = (): Promise<ProofHeaders> => {
    renewAt = now() + pauseMs;
    pending ??= fetch()
      .then(({ token, expiresAt }) => {
        const fetchedAt = now();
        held = { headers: toHeaders(token), expiresAt, fetchedAt };
        // The source may keep tokens itself and give the same one again.
        const early = Math.min(renewBeforeMs, (expiresAt - fetchedAt) / 2);
        renewAt = Math.max(expiresAt - early, fetchedAt + pauseMs);
        return held.headers;
      })
      .finally(() => (pending = undefined));
    return pending;
  };

  return {
    headers: () => {
      const time = now();
      if (held === undefined || held.expiresAt - time < leastLeftMs) return renew();
      // Nobody waits for it, so nobody is there for its failure.
      if (time >= renewAt) renew().catch(() => undefined);
      return held.headers;
    },
    invalidate: (refused) => {
      if (held?.headers !== refused) return true;
      // One that is just fetched is not made better by fetching another.
      if (now() - held.fetchedAt < pauseMs) return false;
      held = undefined;
      return true;
    },
  };
}
