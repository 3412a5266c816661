import { readBearer } from "@crosszone/service-kit";
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { refused, type Authenticator, type AuthRefusal, type Verdict } from "./authenticator.ts";
import type { CallerClaim } from "./caller-claim.ts";

export interface JwtAuthOptions {
  /** Finds the public key that a token's header names. Rejects with an error that is none of jose's own when it cannot look. */
  readonly keys: JWTVerifyGetKey;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Signature algorithms that are accepted. Public-key ones only: with HS256 the public key would be the secret. */
  readonly algorithms: readonly string[];
  /** Who may ask, by a claim of the token. Anybody may get a token for any audience from Google, so this is never empty. */
  readonly callers: readonly CallerClaim[];
  /** How far the clocks may be apart, milliseconds. */
  readonly clockSkewMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The same token comes with each request until it ends: its signature is checked again only after so long, milliseconds. */
const trustedForMs = 60_000;
const mostTrusted = 1_000;

/** JSON Web Tokens (RFC 7519) as bearer tokens, from an identity provider. The caller is the subject. */
export function createJwtAuth(options: JwtAuthOptions): Authenticator {
  const { keys, callers, now } = options;
  const trusted = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  const check = async (token: string): Promise<Verdict> => {
    const payload = await verify(token, options);
    if (typeof payload === "string") return refused(payload);
    const { sub, exp = 0 } = payload;
    // The caller owns tasks by this name: no two callers may share one.
    if (typeof sub !== "string" || sub === "") return refused("token_malformed");
    if (!callers.some((caller) => isCalled(payload, caller))) return refused("caller_not_allowed");
    const verdict = { caller: sub };
    if (trusted.size >= mostTrusted) trusted.delete(trusted.keys().next().value as string);
    trusted.set(token, { verdict, until: Math.min(exp * 1_000, now() + trustedForMs) });
    return verdict;
  };

  return {
    scheme: "bearer",
    challenge: "Bearer",
    hint: "send a token of the zone's identity provider as Authorization: Bearer",
    authenticate: ({ headers }) => {
      const token = readBearer(headers.authorization);
      if (token === undefined) return refused("credentials_missing");
      const known = trusted.get(token);
      if (known !== undefined && now() < known.until) return known.verdict;
      return check(token);
    },
  };

  async function verify(token: string, { issuers, audiences, algorithms, clockSkewMs }: JwtAuthOptions) {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: [...issuers],
        audience: [...audiences],
        algorithms: [...algorithms],
        requiredClaims: ["sub", "exp", "iss", "aud"],
        clockTolerance: clockSkewMs / 1_000,
        currentDate: new Date(now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        const reason = reasonOf(error);
        if (reason !== undefined) return reason;
      }
      throw error;
    }
  }
}

function isCalled(payload: JWTPayload, { claim, value }: CallerClaim): boolean {
  return payload[claim] === value && (claim !== "email" || payload["email_verified"] === true);
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

/** Nothing for what is not wrong with the token: keys that cannot be had. */
function reasonOf(error: errors.JOSEError): AuthRefusal | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return claimReasons[error.claim] ?? "token_malformed";
  return reasons[error.code];
}
