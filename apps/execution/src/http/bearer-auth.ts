import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Finds out who asks from a request's headers; nothing when the credentials are missing or wrong. */
export type Authenticate = (headers: IncomingHttpHeaders) => string | undefined;

/**
 * Bearer tokens (RFC 6750) between the zones. Several may be valid at once, so that one can be replaced without a gap. With
 * none, everybody is let in as `local`: the configuration allows that on loopback only. Compared in constant time.
 */
export function createBearerAuth(tokens: readonly string[], caller: string): Authenticate {
  if (tokens.length === 0) return () => "local";
  const accepted = tokens.map(digest);
  return ({ authorization = "" }) => {
    const given = digest(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? "");
    const matches = accepted.map((token) => timingSafeEqual(token, given));
    return matches.includes(true) ? caller : undefined;
  };
}

/** Equal lengths, whatever the token, as a comparison in constant time needs. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
