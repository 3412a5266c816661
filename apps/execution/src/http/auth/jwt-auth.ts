import { readBearer } from "@crosszone/service-kit";
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { refused, type Authenticator, type AuthRefusal, type Verdict } from "./authenticator.ts";

/** A token claim that names the caller. An email counts only when the issuer marks it as verified. */
export interface CallerClaim {
  readonly claim: "sub" | "email" | "appid" | "azp" | "oid";
  readonly value: string;
}

export interface JwtAuthOptions {
  /**
   * Finds the public key named in a token's header. Rejects with an error that isn't jose's when keys can't be fetched.
   */
  readonly keys: JWTVerifyGetKey;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Accepted signature algorithms. Public-key algorithms only: with HS256 the public key would be the secret. */
  readonly algorithms: readonly string[];
  /**
   * The allowed callers, by a claim of the token. Never empty, because anyone can get a token from Google for any
   * audience.
   */
  readonly callers: readonly CallerClaim[];
  /** Allowed clock skew, milliseconds. */
  readonly clockSkewMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Callers send the same token with each request. Its signature is verified again only after this time, milliseconds.
 */
const trustedForMs = 60_000;
const mostTrusted = 1_000;

/**
 * Authenticates JSON Web Tokens (RFC 7519) of an identity provider, sent as bearer tokens. The caller is the subject.
 */
export function createJwtAuth(options: JwtAuthOptions): Authenticator {
  const { keys, callers, now } = options;
  const trusted = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  const check = async (token: string): Promise<Verdict> => {
    const payload = await verify(token, options);
    if (typeof payload === "string") return refused(payload);
    const { sub, exp = 0 } = payload;
    // Tasks belong to this name, so two callers must not share it.
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

/** Returns undefined when the token isn't at fault: keys can't be fetched. */
function reasonOf(error: errors.JOSEError): AuthRefusal | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return claimReasons[error.claim] ?? "token_malformed";
  return reasons[error.code];
}
