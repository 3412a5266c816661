import { readAtMost } from "@crosszone/service-kit";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

export interface RemoteKeysOptions {
  readonly url: string;
  /** How long fetched keys stay valid, milliseconds. */
  readonly maxAgeMs: number;
  /** Shortest time between two fetches, milliseconds, even when tokens name unknown keys. */
  readonly cooldownMs: number;
}

/** Largest answer, bytes. */
const maxBytes = 262_144;

/** The public keys of an identity provider (RFC 7517). Fetches them on first use and again for an unknown key id. */
export function createRemoteKeys({ url, maxAgeMs, cooldownMs }: RemoteKeysOptions): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: 5_000,
    [customFetch]: async (...request) => atMost(await fetch(...request)),
  });
}

/** Returns the response with its body read. Throws when the body exceeds `maxBytes`. */
async function atMost(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = await readAtMost(response.body, maxBytes);
  if (bytes === "too_large") throw new TypeError(`the key set is larger than ${maxBytes} bytes`);
  return new Response(bytes, { status: response.status });
}
