import type { ConfigProblem } from "./config/config-error.ts";
import { databaseVariables } from "./config/database-variables.ts";
import {
  type ConfigConstant,
  type ConfigValues,
  constant,
  groupOf,
  variable,
  type Variable,
} from "./config/definition.ts";
import { byteSize, list, oneOf } from "./config/kinds.ts";
import { connectionConstants } from "./http/connection-limits.ts";
import { proxyAddress } from "./http/read-request.ts";
import { logLevels, type LogLevel } from "./logging/logger.ts";
import { tracingProblems, tracingVariables, type TracingVariables } from "./tracing/tracing-variables.ts";
import { dataKeysProblems, dataKeysVariables } from "./vault/vault.ts";

/** What no operator of either zone needs to change. */
export const zoneConstants: typeof connectionConstants &
  Readonly<
    Record<"MAX_DEPTH" | "FILE_TIMEOUT_MS" | "MAX_DATABASE_CONNECTIONS" | "STOP_GRACE_MS", ConfigConstant<number>>
  > = {
  ...connectionConstants,
  MAX_DEPTH: constant(64, "levels")`Arrays and objects inside each other in a request, which itself is the first.`,
  MAX_DATABASE_CONNECTIONS: constant(10, "connections")`PostgreSQL connections per process.`,
  FILE_TIMEOUT_MS: constant(30_000, "ms")`Time to read one file.`,
  STOP_GRACE_MS: constant(4_000, "ms")`
    Time that running work can continue after a stop signal, before another process takes it over. Cloud Run kills a
    process after 10 s.`,
};

/** The variables and constants that both zones have. */
export type ZoneVariables = typeof zoneConstants &
  typeof databaseVariables &
  typeof dataKeysVariables &
  TracingVariables &
  Readonly<Record<"MAX_FILE", Variable<number>>> &
  Readonly<Record<"TRUSTED_PROXIES", Variable<string[]>>> &
  Readonly<{ LOG_LEVEL: Variable<LogLevel> }>;

/** What both zones read in the same way. */
export const zoneVariables: ZoneVariables = {
  ...databaseVariables,
  ...dataKeysVariables,
  ...groupOf("Listen", {
    TRUSTED_PROXIES: variable(list(proxyAddress()), { default: "", example: "10.0.0.0/8" })`
        Proxies in front of this zone. The address of a sender is then read from their X-Forwarded-For. Without them, it
        is that of the connection.`,
  }),
  ...groupOf("Files", {
    MAX_FILE: variable(byteSize({ min: 1 }), { default: "10MB" })`
        Largest file that a message can bring and that execution can read.`,
  }),
  ...groupOf("Logs, metrics and traces", {
    LOG_LEVEL: variable(oneOf(logLevels), { default: "info" })`Lowest level of log lines to write.`,
  }),
  ...tracingVariables,
  ...zoneConstants,
};

/** Returns the problems between the variables of `zoneVariables`. Variables that could not be read are absent. */
export function zoneProblems(config: Partial<ConfigValues<ZoneVariables>>): ConfigProblem[] {
  return [...dataKeysProblems(config), ...tracingProblems(config)];
}
