import { readBearer } from "@crosszone/service-kit";
import type { JWTPayload } from "jose";
import { refused, type Authenticator, type Verdict } from "./authenticator.ts";
import { createVerifyJwt, type VerifiedClaims, type VerifyJwtOptions } from "./verify-jwt.ts";

/** A token claim that names the caller. An email counts only when the issuer marks it as verified. */
export interface CallerClaim {
  readonly claim: "sub" | "email" | "appid" | "azp" | "oid";
  readonly value: string;
}

export interface JwtAuthOptions extends VerifyJwtOptions {
  /**
   * The allowed callers, by a claim of the token. Never empty, because anyone can get a token from Google for any
   * audience.
   */
  readonly callers: readonly CallerClaim[];
}

/**
 * Authenticates JSON Web Tokens (RFC 7519) of an identity provider, sent as bearer tokens. The caller is the subject.
 */
export function createJwtAuth({ callers, ...options }: JwtAuthOptions): Authenticator {
  const verify = createVerifyJwt(options);
  const verdictOf = (claims: VerifiedClaims): Verdict =>
    callers.some((caller) => isCalled(claims, caller)) ? { caller: claims.sub } : refused("caller_not_allowed");

  return {
    scheme: "bearer",
    challenge: "Bearer",
    hint: "send a token of the zone's identity provider as Authorization: Bearer",
    authenticate: ({ headers }) => {
      const token = readBearer(headers.authorization);
      if (token === undefined) return refused("credentials_missing");
      const verified = verify(token);
      if (!(verified instanceof Promise)) return verdictOf(verified);
      return verified.then((claims) => (typeof claims === "string" ? refused(claims) : verdictOf(claims)));
    },
  };
}

/** Whether a token is of a caller. */
export function isCalled(payload: JWTPayload, { claim, value }: CallerClaim): boolean {
  return payload[claim] === value && (claim !== "email" || payload["email_verified"] === true);
}
