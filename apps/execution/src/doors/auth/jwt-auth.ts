import { isReadableOnTheWay, readAtMost, readBearer } from "@crosszone/service-kit";
import { plainJson } from "@crosszone/service-kit/json";
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { z } from "zod";
import type { AskIssuer } from "../../tasks/ask/asker.ts";
import type { AskSurface } from "../ask-routes-deps.ts";
import { type Authenticator, type AuthRefusal, refused, type AuthVerdict } from "./authenticator.ts";

interface VerifyJwtOptions {
  /**
   * Finds the public key named in a token's header. Rejects with an error that isn't jose's when keys can't be fetched.
   */
  readonly keys: JWTVerifyGetKey;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Allowed clock skew, milliseconds. */
  readonly clockSkewMs: number;
  /** How long ago a token can be issued, milliseconds; it can't be issued in the future then. */
  readonly tokenAgeMs?: number | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The claims of a valid token. Its subject is not empty. */
type VerifiedClaims = JWTPayload & { readonly sub: string };

/** Returns the claims of a valid token, or why it is not valid. Rejects when keys can't be fetched, which is not the caller's fault. */
type VerifyJwt = (token: string) => VerifiedClaims | Promise<VerifiedClaims | AuthRefusal>;

/** Public-key algorithms only. With HS256, the public key would be the secret. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/**
 * Callers send the same token with each request. Its signature is verified again only after this time, milliseconds.
 */
const trustedForMs = 60_000;
const mostTrusted = 1_000;

/** Verifies JSON Web Tokens (RFC 7519) of an identity provider. */
function createVerifyJwt(options: VerifyJwtOptions): VerifyJwt {
  const { now } = options;
  const trusted = new Map<string, { readonly claims: VerifiedClaims; readonly until: number }>();

  const check = async (token: string): Promise<VerifiedClaims | AuthRefusal> => {
    const payload = await verifyToken(token, options);
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

/** Returns the claims of a token with a valid signature, or why it is not valid. Rejects when keys can't be fetched. */
export async function verifyToken(
  token: string,
  { keys, issuers, audiences, clockSkewMs, tokenAgeMs, now }: VerifyJwtOptions,
  required: readonly string[] = ["sub", "exp", "iss", "aud"],
): Promise<JWTPayload | AuthRefusal> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [...issuers],
      audience: [...audiences],
      algorithms,
      requiredClaims: [...required],
      clockTolerance: clockSkewMs / 1_000,
      ...(tokenAgeMs !== undefined && { maxTokenAge: tokenAgeMs / 1_000 }),
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
  iat: "token_not_yet_valid",
  iss: "token_wrong_issuer",
  aud: "token_wrong_audience",
};

/** Returns undefined when the token isn't at fault: keys can't be fetched. */
function reasonOf(error: errors.JOSEError): AuthRefusal | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return claimReasons[error.claim] ?? "token_malformed";
  return reasons[error.code];
}

/** A token claim that names the caller. An email counts only when the issuer marks it as verified. */
export interface CallerClaim {
  readonly claim: "sub" | "email" | "appid" | "azp" | "oid";
  readonly value: string;
}

interface JwtAuthOptions extends VerifyJwtOptions {
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
  const verdictOf = (claims: VerifiedClaims): AuthVerdict =>
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
function isCalled(payload: JWTPayload, { claim, value }: CallerClaim): boolean {
  return payload[claim] === value && (claim !== "email" || payload["email_verified"] === true);
}

interface RemoteKeysOptions {
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

const timeoutMs = 5_000;

/**
 * Returns the keys of an issuer. Without `jwks`, their address is in the issuer's metadata, which is read with the first token and, if that
 * fails, again after `cooldownMs`.
 */
function createIssuerKeys({ issuer, jwks }: AskIssuer, options: Omit<RemoteKeysOptions, "url">): JWTVerifyGetKey {
  const find = async (): Promise<JWTVerifyGetKey> =>
    createRemoteKeys({ ...options, url: jwks ?? (await findKeysUrl(issuer)) });
  let found: Promise<JWTVerifyGetKey> | undefined;
  let failedAt = -Infinity;
  return async (header, token) => {
    if (performance.now() - failedAt > options.cooldownMs) found ??= find();
    if (found === undefined) throw new Error(`the metadata of ${issuer} could not be read a moment ago`);
    const keys = await found.catch((error: unknown) => {
      found = undefined;
      failedAt = performance.now();
      throw error;
    });
    return keys(header, token);
  };
}

/**
 * Returns the `jwks_uri` of an issuer's metadata. Rejects with an `Error` when no metadata of this issuer can be read.
 * https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig and https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
export async function findKeysUrl(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  // Another issuer's metadata would name keys that this one does not control.
  const metadata = z.object({
    issuer: z.literal(issuer),
    jwks_uri: z.url({ protocol: /^https?$/ }).refine((url) => !isReadableOnTheWay(url)),
  });
  for (const place of places) {
    const { data } = metadata.safeParse(await fetchJson(place));
    if (data !== undefined) return data.jwks_uri;
  }
  throw new Error(`no metadata of ${issuer}: expected it at ${places.join(" or ")}, with this issuer and its jwks_uri`);
}

/** Returns undefined unless the answer is JSON with status 200. Rejects when there is no answer. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const bytes = response.body === null ? "too_large" : await readAtMost(response.body, maxBytes);
  return !response.ok || bytes === "too_large" ? undefined : plainJson(bytes.toString("utf8"));
}

/** Returns the claims of a token for a surface, or why it is not valid. Rejects when the issuer's keys can't be fetched. */
export type VerifySubject = (token: string, surface: AskSurface) => Promise<VerifiedClaims | AuthRefusal>;

interface VerifySubjectOptions {
  readonly askUrl: string | undefined;
  readonly clockSkewMs: number;
  /** Of the issuers' keys, as for `createRemoteKeys`. */
  readonly maxAgeMs: number;
  readonly cooldownMs: number;
}

/** Verifies tokens of the issuers in the settings. */
export function createVerifySubject(issuers: readonly AskIssuer[], options: VerifySubjectOptions): VerifySubject {
  const { clockSkewMs } = options;
  const verifiers = new Map(
    issuers.map((one) => {
      const keys = createIssuerKeys(one, options);
      const verifyFor = (surface: AskSurface) =>
        createVerifyJwt({
          keys,
          issuers: [one.issuer],
          audiences: audiencesOf(one, options.askUrl, surface),
          clockSkewMs,
          now: () => Date.now(),
        });
      return [one.issuer, { a2a: verifyFor("a2a"), mcp: verifyFor("mcp") }];
    }),
  );
  return async (token, surface) => {
    const verify = verifiers.get(issuerOf(token) ?? "");
    return verify === undefined ? "token_wrong_issuer" : verify[surface](token);
  };
}

/** The `audience` of the issuer; otherwise ASK_URL, or the resource below it that the metadata of this surface names. */
function audiencesOf({ audience }: AskIssuer, askUrl: string | undefined, surface: AskSurface): readonly string[] {
  if (audience !== undefined) return [audience];
  return askUrl === undefined ? [] : [askUrl, `${askUrl}/`, `${askUrl}/${surface}`];
}

/** Returns the issuer that an unverified token names. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
