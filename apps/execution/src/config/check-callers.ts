import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  isLoopback,
  isReadableOnTheWay,
} from "@crosszone/service-kit";
import { chooseListening } from "../http/host-profile.ts";
import type { executionConstants } from "./constants.ts";
import { callerNames, type callerVariables } from "./caller-variables.ts";
import type { processVariables, taskVariables } from "./process-variables.ts";

type CallerConfig = ConfigValues<
  typeof callerVariables & typeof processVariables & typeof taskVariables & typeof executionConstants
>;

export type AuthKind = NonNullable<CallerConfig["CALLER_AUTH"]>;

/** Returns how callers authenticate: as CALLER_AUTH says, otherwise with the token if one is set. */
export function authKindOf(config: Pick<Partial<CallerConfig>, "CALLER_AUTH" | "EXECUTION_TOKEN">): AuthKind {
  return config.CALLER_AUTH ?? (config.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

const needs: Record<AuthKind, readonly (keyof CallerConfig)[]> = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  jwt: ["CALLER_JWT_ISSUER", "CALLER_JWT_AUDIENCE", "CALLER_JWT_JWKS", "CALLER_ALLOWED"],
  hmac: ["EXECUTION_TOKEN"],
  mtls: ["TLS_CERT_FILE", "TLS_KEY_FILE", "CALLER_TLS_CA_FILE", "CALLER_ALLOWED"],
  platform: [],
};

/** Checks the variables about callers against each other. Variables that could not be read are absent. */
export function checkCallers(config: Partial<CallerConfig>): ConfigProblem[] {
  const kind = authKindOf(config);
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
