import { readAtMost } from "@crosszone/service-kit";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface RemoteKeysOptions {
  readonly url: string;
  /** How long fetched keys are good, milliseconds. */
  readonly maxAgeMs: number;
  /** Shortest time between two fetches, milliseconds: tokens that name unknown keys cause no more. */
  readonly cooldownMs: number;
  /** How long a fetch may take, milliseconds (default 5,000). */
  readonly timeoutMs?: number;
  /** Largest answer, bytes (default 256 KB). */
  readonly maxBytes?: number;
}

/** The public keys of an identity provider (RFC 7517), fetched when they are needed; a key id that is new makes them be fetched again. */
export function createRemoteKeys(options: RemoteKeysOptions): JWTVerifyGetKey {
  const { url, maxAgeMs, cooldownMs, timeoutMs = 5_000, maxBytes = 262_144 } = options;
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
    [customFetch]: async (...request) => atMost(maxBytes, await fetch(...request)),
  });
}

/** The same, of keys that are known. */
export function createLocalKeys(keys: JSONWebKeySet): JWTVerifyGetKey {
  return createLocalJWKSet(keys);
}

/** A response whose body was read, and was no larger than allowed. */
async function atMost(maxBytes: number, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = await readAtMost(response.body, maxBytes);
  if (bytes === "too_large") throw new TypeError(`the key set is larger than ${maxBytes} bytes`);
  return new Response(bytes, { status: response.status });
}
