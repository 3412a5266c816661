import { createSecureContext } from "node:tls";
import {
  brokenRules,
  type ConfigProblem,
  isLoopback,
  isReadableOnTheWay,
  openLiveFiles,
  type ServerTls,
  type TlsMaterial,
} from "@crosszone/service-kit";
import type { JWTVerifyGetKey } from "jose";
import {
  type Authenticator,
  createBearerAuth,
  createMtlsAuth,
  createOpenAuth,
  createPlatformAuth,
} from "../../doors/auth/authenticator.ts";
import { createHmacAuth } from "../../doors/auth/hmac-auth.ts";
import type { CallerClaim } from "../../doors/auth/jwt-auth.ts";
import { chooseListening } from "../../doors/host-profile.ts";
import { callerVariables, type ExecutionConfig, type LoadedExecutionConfig } from "./variables.ts";

/** How CALLER_ALLOWED names a caller, by CALLER_AUTH. */
const callerNames = {
  jwt: { pattern: /^(sub|email|appid|azp|oid):./, words: "sub:…, email:…, appid:…, azp:… or oid:…" },
  mtls: { pattern: /^(CN=|(DNS|URI|email|IP Address):)./, words: "CN=…, DNS:…, URI:…, email:… or IP Address:…" },
} as const;

type CallerAuthKind = NonNullable<ExecutionConfig["CALLER_AUTH"]>;

/** Returns how callers authenticate: as CALLER_AUTH says, otherwise with the token if one is set. */
export function callerAuthOf(config: Partial<ExecutionConfig>): CallerAuthKind {
  return config.CALLER_AUTH ?? (config.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

const needs: Record<CallerAuthKind, readonly (keyof ExecutionConfig)[]> = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  jwt: ["CALLER_JWT_ISSUER", "CALLER_JWT_AUDIENCE", "CALLER_JWT_JWKS", "CALLER_ALLOWED"],
  hmac: ["EXECUTION_TOKEN"],
  mtls: ["TLS_CERT_FILE", "TLS_KEY_FILE", "CALLER_TLS_CA_FILE", "CALLER_ALLOWED"],
  platform: [],
};

/** Checks the variables about callers against each other. Variables that could not be read are absent. */
export function checkCallers(config: Partial<ExecutionConfig>): ConfigProblem[] {
  const kind = callerAuthOf(config);
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CALLER_TLS_CA_FILE: ca } = config;
  const { CALLER_JWT_JWKS: keys, CALLER_ALLOWED: callers = [], EXECUTION_HMAC_WINDOW_MS: window = 0 } = config;
  const named = kind === "jwt" || kind === "mtls" ? callerNames[kind] : undefined;
  const isOpen = kind === "none" && isReachable(config);
  const reachable = "but the zone accepts requests from other machines";
  const isKeysUrlUnsafe = typeof keys === "string" && isReadableOnTheWay(keys);
  const tlsPart = key === undefined ? "CALLER_TLS_CA_FILE" : "TLS_KEY_FILE";
  return brokenRules([
    ...needs[kind].map(
      (name) => [isUnset(config[name]), name, `is not set, but CALLER_AUTH=${kind} requires it`] as const,
    ),
    [isOpen && config.CALLER_AUTH === "none", "CALLER_AUTH", `is none, ${reachable}`],
    [isOpen && config.CALLER_AUTH === undefined, "EXECUTION_TOKEN", `is not set, ${reachable}`, tokenExpected],
    [
      kind === "platform" && config.HOST_PROFILE === "plain",
      "CALLER_AUTH",
      noPlatform,
      "another value, or another HOST_PROFILE",
    ],
    [
      callers.some((caller) => named?.pattern.test(caller) === false),
      "CALLER_ALLOWED",
      `has a name that CALLER_AUTH=${kind} cannot check`,
      named?.words ?? "",
    ],
    [kind === "jwt" && isKeysUrlUnsafe, "CALLER_JWT_JWKS", replaceableKeys, "https:, or a host on this machine"],
    // A process remembers nonces. A request that is replayed at another process, or after a restart, must find its task.
    // A signature is valid from one window before its time to one window after it.
    [
      kind === "hmac" && (config.TASK_RETENTION ?? Infinity) < 2 * window,
      "TASK_RETENTION",
      replayable,
      `at least ${2 * window}`,
    ],
    [kind !== "mtls" && !cert && !!(key ?? ca), "TLS_CERT_FILE", `is not set, but ${tlsPart} is`],
    [kind !== "mtls" && !!cert && !key, "TLS_KEY_FILE", "is not set, but TLS_CERT_FILE is"],
  ]);
}

const tokenExpected = "at least 32 characters, the same as in verification; or another CALLER_AUTH";
const noPlatform = "is platform, but HOST_PROFILE=plain has no platform that authenticates callers";
const replaceableKeys = "uses http: to another machine, where an attacker could replace the keys";
const replayable = "is too short for signed requests: a recorded request could run its task again";

/** Returns true if other machines can call this process. A process without the role answers no caller. */
function isReachable(config: Partial<ExecutionConfig>): boolean {
  if (config.HOST_PROFILE === undefined || config.EXECUTION_ROLES?.includes("rpc") === false) return false;
  return !isLoopback(chooseListening(config.HOST_PROFILE, { host: config.EXECUTION_HOST }).host);
}

const isUnset = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

/**
 * Creates the configured authenticator. Every sender of a shared secret is the caller `verification`. `onFileFailure` is called when a replaced
 * secret file can't be used; the previous secrets stay valid.
 */
export async function createAuthenticator(
  loaded: { readonly values: ExecutionConfig; readonly files: LoadedExecutionConfig["files"] },
  onFileFailure: (error: unknown) => void,
): Promise<Authenticator> {
  const { values } = loaded;
  const { CALLER_ALLOWED: allowed = [] } = values;
  const caller = "verification";
  const now = (): number => Date.now();
  const kind = callerAuthOf(values);
  if (kind === "none") return createOpenAuth();
  if (kind === "platform") return createPlatformAuth(values.HOST_PROFILE);
  if (kind === "mtls") return createMtlsAuth(allowed, now);
  if (kind === "jwt") {
    // Loaded only when used: it is larger than the rest of authentication.
    const { createJwtAuth } = await import("../../doors/auth/jwt-auth.ts");
    return createJwtAuth({
      keys: await keysOf(values),
      issuers: values.CALLER_JWT_ISSUER ?? [],
      audiences: values.CALLER_JWT_AUDIENCE ?? [],
      callers: allowed.map(claimOf),
      clockSkewMs: values.EXECUTION_JWT_CLOCK_SKEW_MS,
      now,
    });
  }
  const secrets = tokensOf(loaded, onFileFailure);
  if (kind === "bearer") return createBearerAuth(secrets, caller);
  const { EXECUTION_HMAC_WINDOW_MS: windowMs, EXECUTION_HMAC_NONCES: mostNonces } = values;
  return createHmacAuth({ secrets, caller, windowMs, mostNonces, now });
}

/** Returns the tokens of EXECUTION_TOKEN; if they come from a file, the file's current ones. */
function tokensOf(
  { values, files }: Parameters<typeof createAuthenticator>[0],
  onFailure: (error: unknown) => void,
): () => readonly string[] {
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
  return openLiveFiles({ paths: { EXECUTION_TOKEN_FILE: path }, parse, first: given, onFailure }).current;
}

/** Parses `email:name@example.com`, which the configuration has checked. */
function claimOf(name: string): CallerClaim {
  const colon = name.indexOf(":");
  return { claim: name.slice(0, colon) as CallerClaim["claim"], value: name.slice(colon + 1) };
}

async function keysOf(values: ExecutionConfig): Promise<JWTVerifyGetKey> {
  const { CALLER_JWT_JWKS: keys = "" } = values;
  if (typeof keys !== "string") return (await import("jose")).createLocalJWKSet(keys);
  const { createRemoteKeys } = await import("../../doors/auth/jwt-auth.ts");
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
  return { material: files.current, askClients: callerAuthOf(config) === "mtls" };
}
