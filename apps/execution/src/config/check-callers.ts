import { isLoopback, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import { chooseListening } from "../http/host-profile.ts";
import type { executionConstants } from "./constants.ts";
import type { callerVariables } from "./caller-variables.ts";
import type { processVariables } from "./process-variables.ts";
import type { taskVariables } from "./task-variables.ts";

type CallerConfig = ConfigValues<
  typeof callerVariables & typeof processVariables & typeof taskVariables & typeof executionConstants
>;

export type AuthKind = NonNullable<CallerConfig["CALLER_AUTH"]>;

/** Returns how callers authenticate: as CALLER_AUTH says, otherwise with the token if one is set. */
export function authKindOf(config: Pick<Partial<CallerConfig>, "CALLER_AUTH" | "EXECUTION_TOKEN">): AuthKind {
  return config.CALLER_AUTH ?? (config.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

/** Checks the variables about callers against each other. Variables that could not be read are absent. */
export function checkCallers(config: Partial<CallerConfig>): ConfigProblem[] {
  const kind = authKindOf(config);
  const needed = needs[kind].filter((name) => isUnset(config[name]));
  return [
    ...needed.map((name) => ({ name, wrong: `is not set, but CALLER_AUTH=${kind} requires it` })),
    ...(kind === "none" ? opennessProblems(config) : []),
    ...(kind === "platform" ? platformProblems(config) : []),
    ...(kind === "jwt" ? keyProblems(config) : []),
    ...(kind === "hmac" ? replayProblems(config) : []),
    ...(kind === "mtls" ? [] : tlsProblems(config)),
  ];
}

const needs: Record<AuthKind, readonly (keyof CallerConfig)[]> = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  jwt: ["CALLER_JWT_ISSUER", "CALLER_JWT_AUDIENCE", "CALLER_JWT_ALLOWED"],
  hmac: ["EXECUTION_HMAC_SECRET"],
  mtls: ["TLS_CERT_FILE", "TLS_KEY_FILE", "CALLER_TLS_CA_FILE", "CALLER_TLS_ALLOWED"],
  platform: [],
};

function opennessProblems(config: Partial<CallerConfig>): ConfigProblem[] {
  // A process without the role answers no caller.
  if (config.HOST_PROFILE === undefined || config.EXECUTION_ROLES?.includes("rpc") === false) return [];
  const { host } = chooseListening(config.HOST_PROFILE, { host: config.EXECUTION_HOST });
  if (isLoopback(host)) return [];
  const reachable = "but the zone accepts requests from other machines";
  if (config.CALLER_AUTH === "none") return [{ name: "CALLER_AUTH", wrong: `is none, ${reachable}` }];
  return [
    {
      name: "EXECUTION_TOKEN",
      wrong: `is not set, ${reachable}`,
      expected: "at least 32 characters, the same as in verification; or another CALLER_AUTH",
    },
  ];
}

function platformProblems({ HOST_PROFILE: profile }: Partial<CallerConfig>): ConfigProblem[] {
  if (profile !== "plain") return [];
  const wrong = "is platform, but HOST_PROFILE=plain has no platform that authenticates callers";
  return [{ name: "CALLER_AUTH", wrong, expected: "another value, or another HOST_PROFILE" }];
}

/**
 * A process remembers nonces. A request that is replayed at another process, or after a restart, must find its task.
 * A signature is valid from one window before its time to one window after it.
 */
function replayProblems({
  EXECUTION_HMAC_WINDOW_MS: window = 0,
  TASK_RETENTION: kept = Infinity,
}: Partial<CallerConfig>): ConfigProblem[] {
  if (kept >= 2 * window) return [];
  const wrong = "is too short for signed requests: a recorded request could run its task again";
  return [{ name: "TASK_RETENTION", wrong, expected: `at least ${2 * window}` }];
}

function keyProblems({
  CALLER_JWT_JWKS_URL: url,
  CALLER_JWT_JWKS: keys,
  ...config
}: Partial<CallerConfig>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (url === undefined && keys === undefined)
    problems.push({ name: "CALLER_JWT_JWKS_URL", wrong: "is not set, and neither is CALLER_JWT_JWKS" });
  if (url !== undefined && keys !== undefined)
    problems.push({
      name: "CALLER_JWT_JWKS",
      wrong: "is set, and so is CALLER_JWT_JWKS_URL: keep one of the two",
    });
  if (url !== undefined && !url.startsWith("https:") && !isLoopback(new URL(url).hostname))
    problems.push({
      name: "CALLER_JWT_JWKS_URL",
      wrong: "uses http: to another machine, where an attacker could replace the keys",
      expected: "https:, or a host on this machine",
    });
  if (config.CALLER_JWT_ALGORITHMS?.length === 0)
    problems.push({ name: "CALLER_JWT_ALGORITHMS", wrong: "lists no algorithm" });
  return problems;
}

function tlsProblems(config: Partial<CallerConfig>): ConfigProblem[] {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CALLER_TLS_CA_FILE: ca } = config;
  if (cert === undefined && (key !== undefined || ca !== undefined))
    return [
      {
        name: "TLS_CERT_FILE",
        wrong: `is not set, but ${key === undefined ? "CALLER_TLS_CA_FILE" : "TLS_KEY_FILE"} is`,
      },
    ];
  if (cert !== undefined && key === undefined)
    return [{ name: "TLS_KEY_FILE", wrong: "is not set, but TLS_CERT_FILE is" }];
  return [];
}

const isUnset = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
