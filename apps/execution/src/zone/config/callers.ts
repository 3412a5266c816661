import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  filePath,
  groupOf,
  isLoopback,
  isReadableOnTheWay,
  list,
  oneOf,
  secret,
  url,
  variable,
} from "@crosszone/service-kit";
import { plainJson } from "@crosszone/service-kit/json";
import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { chooseListening } from "../../doors/host-profile.ts";
import type { executionConstants, processVariables, taskVariables } from "./variables.ts";

/** Parses a key set from JSON text. Rejects private keys, because readers of the configuration could sign with them. */
const publicKeySet: z.ZodType<JSONWebKeySet, string> = z
  .string()
  .transform((text, context) => {
    const value = plainJson(text);
    if (value !== undefined) return value;
    context.addIssue("it is neither a URL nor JSON");
    return z.NEVER;
  })
  .pipe(
    z.object({
      keys: z
        .array(
          z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), d: z.undefined("it contains a private key").optional() }),
        )
        .min(1),
    }),
  )
  .transform((set) => set as unknown as JSONWebKeySet)
  .describe('an https: URL, or public keys as a JSON Web Key Set, {"keys":[…]}');

const keySource = z.union([
  z
    .string()
    .regex(/^https?:/)
    .pipe(url()),
  publicKeySet,
]);

/** How CALLER_ALLOWED names a caller, by CALLER_AUTH. */
const callerNames = {
  jwt: { pattern: /^(sub|email|appid|azp|oid):./, words: "sub:…, email:…, appid:…, azp:… or oid:…" },
  mtls: { pattern: /^(CN=|(DNS|URI|email|IP Address):)./, words: "CN=…, DNS:…, URI:…, email:… or IP Address:…" },
} as const;

/** Which callers execution accepts, how they authenticate, and how the zone serves HTTPS. */
export const callerVariables = {
  ...groupOf("Authenticate callers", {
    CALLER_AUTH: variable(oneOf(["none", "bearer", "jwt", "hmac", "mtls", "platform"]).optional())`
      How callers authenticate. platform trusts the host of HOST_PROFILE. If unset: bearer with EXECUTION_TOKEN,
      otherwise none, only for this machine.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token that verification sends, or with CALLER_AUTH=hmac signs requests with. List two while you replace one.`,
    CALLER_JWT_ISSUER: variable(list(url()).optional(), { example: "https://accounts.google.com" })`
      Issuers whose tokens execution accepts: the iss claim.`,
    CALLER_JWT_AUDIENCE: variable(list().optional(), { example: "https://execution.example.com" })`
      Audiences that execution accepts: the aud claim. Usually the URL or ID of this zone.`,
    CALLER_JWT_JWKS: variable(keySource.optional(), { example: "https://www.googleapis.com/oauth2/v3/certs" })`
      The issuer's public keys: their URL, or the keys themselves as JSON. Another machine needs https:.`,
    CALLER_TLS_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/ca.crt" })`
      PEM file of the authority that signed client certificates, for CALLER_AUTH=mtls.`,
    CALLER_ALLOWED: variable(list().optional(), {
      example: "email:verification@my-project.iam.gserviceaccount.com",
    })`
      Callers that execution accepts. With CALLER_AUTH=jwt, as claim:value of the token. With CALLER_AUTH=mtls, as a
      name in the client certificate, such as CN=verification.`,
  }),
  ...groupOf("Serve HTTPS", {
    TLS_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.crt" })`
      PEM file of the server certificate and its chain. With it, the zone serves HTTPS only. It rereads the file on a
      change.`,
    TLS_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.key" })`
      PEM file of the private key of TLS_CERT_FILE.`,
  }),
};

type CallerConfig = ConfigValues<
  typeof callerVariables & typeof processVariables & typeof taskVariables & typeof executionConstants
>;

type CallerAuthKind = NonNullable<CallerConfig["CALLER_AUTH"]>;

/** Returns how callers authenticate: as CALLER_AUTH says, otherwise with the token if one is set. */
export function callerAuthOf(config: Partial<CallerConfig>): CallerAuthKind {
  return config.CALLER_AUTH ?? (config.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

const needs: Record<CallerAuthKind, readonly (keyof CallerConfig)[]> = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  jwt: ["CALLER_JWT_ISSUER", "CALLER_JWT_AUDIENCE", "CALLER_JWT_JWKS", "CALLER_ALLOWED"],
  hmac: ["EXECUTION_TOKEN"],
  mtls: ["TLS_CERT_FILE", "TLS_KEY_FILE", "CALLER_TLS_CA_FILE", "CALLER_ALLOWED"],
  platform: [],
};

/** Checks the variables about callers against each other. Variables that could not be read are absent. */
export function checkCallers(config: Partial<CallerConfig>): ConfigProblem[] {
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
function isReachable(config: Partial<CallerConfig>): boolean {
  if (config.HOST_PROFILE === undefined || config.EXECUTION_ROLES?.includes("rpc") === false) return false;
  return !isLoopback(chooseListening(config.HOST_PROFILE, { host: config.EXECUTION_HOST }).host);
}

const isUnset = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
