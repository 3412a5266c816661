import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import type { AuthRefusal } from "./authenticator.ts";

export interface VerifyJwtOptions {
  /**
   * Finds the public key named in a token's header. Rejects with an error that isn't jose's when keys can't be fetched.
   */
  readonly keys: JWTVerifyGetKey;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Allowed clock skew, milliseconds. */
  readonly clockSkewMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The claims of a valid token. Its subject is not empty. */
export type VerifiedClaims = JWTPayload & { readonly sub: string };

/** Returns the claims of a valid token, or why it is not valid. Rejects when keys can't be fetched, which is not the caller's fault. */
export type VerifyJwt = (token: string) => VerifiedClaims | Promise<VerifiedClaims | AuthRefusal>;

/** Public-key algorithms only. With HS256, the public key would be the secret. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/**
 * Callers send the same token with each request. Its signature is verified again only after this time, milliseconds.
 */
const trustedForMs = 60_000;
const mostTrusted = 1_000;

/** Verifies JSON Web Tokens (RFC 7519) of an identity provider. */
export function createVerifyJwt(options: VerifyJwtOptions): VerifyJwt {
  const { now } = options;
  const trusted = new Map<string, { readonly claims: VerifiedClaims; readonly until: number }>();

  const check = async (token: string): Promise<VerifiedClaims | AuthRefusal> => {
    const payload = await verify(token, options);
    if (typeof payload === "string") return payload;
    const { sub, exp = 0 } = payload;
    // Tasks belong to this name, so two callers must not share it.
    if (typeof sub !== "string" || sub === "" || sub.length > longestSubject) return "token_malformed";
    const claims = { ...payload, sub };
    if (trusted.size >= mostTrusted) trusted.delete(trusted.keys().next().value as string);
    trusted.set(token, { claims, until: Math.min(exp * 1_000, now() + trustedForMs) });
    return claims;
  };

  return (token) => {
    const known = trusted.get(token);
    return known !== undefined && now() < known.until ? known.claims : check(token);
  };
}

/** https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
const longestSubject = 255;

async function verify(
  token: string,
  { keys, issuers, audiences, clockSkewMs, now }: VerifyJwtOptions,
): Promise<JWTPayload | AuthRefusal> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [...issuers],
      audience: [...audiences],
      algorithms,
      requiredClaims: ["sub", "exp", "iss", "aud"],
      clockTolerance: clockSkewMs / 1_000,
      currentDate: new Date(now()),
    });
    return payload;
  } catch (error) {
    const reason = error instanceof errors.JOSEError ? reasonOf(error) : undefined;
    if (reason === undefined) throw error;
    return reason;
  }
}

const reasons: Readonly<Record<string, AuthRefusal>> = {
  ERR_JWT_EXPIRED: "token_expired",
  ERR_JWT_INVALID: "token_malformed",
  ERR_JWS_INVALID: "token_malformed",
  ERR_JOSE_ALG_NOT_ALLOWED: "token_wrong_algorithm",
  ERR_JOSE_NOT_SUPPORTED: "token_wrong_algorithm",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "signature_wrong",
  ERR_JWKS_NO_MATCHING_KEY: "token_unknown_key",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "token_unknown_key",
};

const claimReasons: Readonly<Record<string, AuthRefusal>> = {
  nbf: "token_not_yet_valid",
  iss: "token_wrong_issuer",
  aud: "token_wrong_audience",
};

/** Returns undefined when the token isn't at fault: keys can't be fetched. */
function reasonOf(error: errors.JOSEError): AuthRefusal | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return claimReasons[error.claim] ?? "token_malformed";
  return reasons[error.code];
}
