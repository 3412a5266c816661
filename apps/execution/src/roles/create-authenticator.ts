import { createSecureContext } from "node:tls";
import { openLiveFiles, type ServerTls, type TlsMaterial } from "@crosszone/service-kit";
import type { JWTVerifyGetKey } from "jose";
import { type AuthKind, authKindOf } from "../config/check-callers.ts";
import type { ExecutionConfig, LoadedExecutionConfig } from "../config/config.ts";
import { callerVariables } from "../config/caller-variables.ts";
import {
  type Authenticator,
  createBearerAuth,
  createOpenAuth,
  createPlatformAuth,
} from "../http/auth/authenticator.ts";
import { createHmacAuth } from "../http/auth/hmac-auth.ts";
import type { CallerClaim } from "../http/auth/jwt-auth.ts";
import { createMtlsAuth } from "../http/auth/mtls-auth.ts";

export interface AuthenticatorOptions {
  readonly values: ExecutionConfig;
  /** The files that secrets were read from. */
  readonly files: LoadedExecutionConfig["files"];
  /** Called when a replaced secret file can't be used. The previous secrets stay valid. */
  readonly onFileFailure: (error: unknown) => void;
}

/** Creates the configured authenticator. Every sender of a shared secret is the caller `verification`. */
export async function createAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  return kinds[authKindOf(options.values)](options);
}

const caller = "verification";

const now = (): number => Date.now();

const kinds: Record<AuthKind, (options: AuthenticatorOptions) => Authenticator | Promise<Authenticator>> = {
  none: createOpenAuth,
  bearer: (options) => createBearerAuth(tokensOf(options), caller),
  jwt: async ({ values }) => {
    // Loaded only when used: it is larger than the rest of authentication.
    const { createJwtAuth } = await import("../http/auth/jwt-auth.ts");
    return createJwtAuth({
      keys: await keysOf(values),
      issuers: values.CALLER_JWT_ISSUER ?? [],
      audiences: values.CALLER_JWT_AUDIENCE ?? [],
      callers: (values.CALLER_ALLOWED ?? []).map(claimOf),
      clockSkewMs: values.EXECUTION_JWT_CLOCK_SKEW_MS,
      now,
    });
  },
  hmac: (options) =>
    createHmacAuth({
      secrets: tokensOf(options),
      caller,
      windowMs: options.values.EXECUTION_HMAC_WINDOW_MS,
      mostNonces: options.values.EXECUTION_HMAC_NONCES,
      now,
    }),
  mtls: ({ values }) => createMtlsAuth(values.CALLER_ALLOWED ?? [], now),
  platform: ({ values }) => createPlatformAuth(values.HOST_PROFILE),
};

/** Returns the tokens of EXECUTION_TOKEN; if they come from a file, the file's current ones. */
function tokensOf({ values, files, onFileFailure }: AuthenticatorOptions): () => readonly string[] {
  const path = files.EXECUTION_TOKEN;
  const given = values.EXECUTION_TOKEN ?? [];
  if (path === undefined) return () => given;
  const { schema } = callerVariables.EXECUTION_TOKEN;
  const parse = ([text = ""]: readonly string[]): readonly string[] => {
    const tokens = schema.safeParse(text).data ?? [];
    if (tokens.length === 0)
      throw new TypeError("the file of EXECUTION_TOKEN no longer contains a secret of 32 characters");
    return tokens;
  };
  return openLiveFiles({ paths: { EXECUTION_TOKEN_FILE: path }, parse, first: given, onFailure: onFileFailure })
    .current;
}

/** Parses `email:name@example.com`, which the configuration has checked. */
function claimOf(name: string): CallerClaim {
  const colon = name.indexOf(":");
  return { claim: name.slice(0, colon) as CallerClaim["claim"], value: name.slice(colon + 1) };
}

async function keysOf(values: ExecutionConfig): Promise<JWTVerifyGetKey> {
  const { CALLER_JWT_JWKS: keys = "" } = values;
  if (typeof keys !== "string") return (await import("jose")).createLocalJWKSet(keys);
  const { createRemoteKeys } = await import("../http/auth/json-web-keys.ts");
  return createRemoteKeys({
    url: keys,
    maxAgeMs: values.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: values.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  });
}

/**
 * Returns the certificate and key for HTTPS, from files that can be replaced at any time; undefined when the zone
 * serves HTTP.
 */
export function serverTls(config: ExecutionConfig, onFileFailure: (error: unknown) => void): ServerTls | undefined {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CALLER_TLS_CA_FILE: ca } = config;
  if (cert === undefined || key === undefined) return undefined;
  const parse = ([certText = "", keyText = "", caText]: readonly string[]): TlsMaterial => {
    const material = { cert: certText, key: keyText, ca: caText };
    // Throws unless certificate and key match. During a replacement one file may be newer than the other.
    createSecureContext(material);
    return material;
  };
  const paths = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...(ca !== undefined && { CALLER_TLS_CA_FILE: ca }) };
  const files = openLiveFiles({ paths, parse, onFailure: onFileFailure });
  return { material: files.current, askClients: authKindOf(config) === "mtls" };
}
