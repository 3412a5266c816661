import { timingSafeEqual } from "node:crypto";
import { readBearer } from "@crosszone/service-kit";
import { refused, type Authenticator } from "./authenticator.ts";

/**
 * Bearer tokens (RFC 6750) between the zones. Several may be valid at once, so that one can be replaced without a gap; `tokens`
 * is asked at each request, since they may come from a file. With none, nobody is let in. Each is compared in constant time;
 * only its length is not hidden, which is no secret.
 */
export function createBearerAuth(tokens: readonly string[] | (() => readonly string[]), caller: string): Authenticator {
  const accepted = { caller };
  const configured = typeof tokens === "function" ? tokens : () => tokens;
  let encoded: readonly Buffer[] = [];
  let encodedOf: readonly string[] | undefined;
  const expected = (): readonly Buffer[] => {
    const now = configured();
    if (now !== encodedOf) {
      encoded = now.map((token) => Buffer.from(token));
      encodedOf = now;
    }
    return encoded;
  };

  return {
    scheme: "bearer",
    challenge: "Bearer",
    hint: "send the zone's token as Authorization: Bearer",
    authenticate: ({ headers }) => {
      const token = readBearer(headers.authorization);
      if (token === undefined) return refused("credentials_missing");
      const given = Buffer.from(token);
      let matches = false;
      // Every token is looked at, whichever matches.
      for (const one of expected()) if (one.length === given.length && timingSafeEqual(one, given)) matches = true;
      return matches ? accepted : refused("token_wrong");
    },
  };
}
