import { readAtMost } from "@crosszone/service-kit";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface RemoteKeysOptions {
  readonly url: string;
  /** How long fetched keys stay valid, milliseconds. */
  readonly maxAgeMs: number;
  /** Shortest time between two fetches, milliseconds, even when tokens name unknown keys. */
  readonly cooldownMs: number;
  /** Timeout of a fetch, milliseconds (default 5,000). */
  readonly timeoutMs?: number;
  /** Largest answer, bytes (default 256 KB). */
  readonly maxBytes?: number;
}

/** The public keys of an identity provider (RFC 7517). Fetches them on first use and again for an unknown key id. */
export function createRemoteKeys(options: RemoteKeysOptions): JWTVerifyGetKey {
  const { url, maxAgeMs, cooldownMs, timeoutMs = 5_000, maxBytes = 262_144 } = options;
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
    [customFetch]: async (...request) => atMost(maxBytes, await fetch(...request)),
  });
}

/** The same for a given key set. */
export function createLocalKeys(keys: JSONWebKeySet): JWTVerifyGetKey {
  return createLocalJWKSet(keys);
}

/** Returns the response with its body read. Throws when the body exceeds `maxBytes`. */
async function atMost(maxBytes: number, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = await readAtMost(response.body, maxBytes);
  if (bytes === "too_large") throw new TypeError(`the key set is larger than ${maxBytes} bytes`);
  return new Response(bytes, { status: response.status });
}
