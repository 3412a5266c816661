import { timingSafeEqual } from "node:crypto";
import { readBearer } from "@crosszone/service-kit";
import { refused, type Authenticator } from "./authenticator.ts";

/**
 * Bearer tokens (RFC 6750) between the zones. Several can be valid at once, so that a token can be replaced without
 * downtime. A function `tokens` is called for each request, because tokens may come from a file. Without tokens every
 * request is refused. Comparison takes constant time; it reveals only a token's length, which is not secret.
 */
export function createBearerAuth(tokens: readonly string[] | (() => readonly string[]), caller: string): Authenticator {
  const accepted = { caller };
  const configured = typeof tokens === "function" ? tokens : () => tokens;
  return {
    scheme: "bearer",
    challenge: "Bearer",
    hint: "send the zone's token as Authorization: Bearer",
    authenticate: ({ headers }) => {
      const token = readBearer(headers.authorization);
      if (token === undefined) return refused("credentials_missing");
      const given = Buffer.from(token);
      let matches = false;
      // Compares every token, even after a match.
      for (const one of configured().map((text) => Buffer.from(text)))
        if (one.length === given.length && timingSafeEqual(one, given)) matches = true;
      return matches ? accepted : refused("token_wrong");
    },
  };
}
