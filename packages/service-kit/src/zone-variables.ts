import { resolve } from "node:path";
import type { ConfigProblem } from "./config/config-error.ts";
import {
  byteSize,
  type ConfigValues,
  constant,
  groupOf,
  list,
  nonEmpty,
  oneOf,
  url,
  variable,
} from "./config/definition.ts";
import { dataKeysProblems, dataKeysVariables } from "./config/vault.ts";
import { connectionConstants } from "./http/http-server.ts";
import { proxyAddress } from "./http/read-request.ts";
import { logLevels } from "./logging/logger.ts";
import { tracingProblems, tracingVariables } from "./tracing/start-tracing.ts";
import { isLoopback } from "./values/text.ts";

/** The driver connects to one host. */
const databaseUrl = url(["postgres", "postgresql"])
  .refine((text) => !new URL(text).host.includes(","))
  .describe(
    "a URL that starts with postgres: or postgresql: and has one host. For several hosts, name a proxy that finds the primary",
  );

/** The variables of where a zone keeps what may not be lost, for the configuration of an app. */
export const databaseVariables = groupOf("Store data", {
  DATABASE_URL: variable(databaseUrl.optional(), { secret: true })`
    URL of this zone's PostgreSQL database, version 14 or later. Without it, the zone uses SQLite in DATA_DIR.`,
  DATA_DIR: variable(nonEmpty("a folder"), { default: ".crosszone" })`
    Folder of the SQLite database. It must be on a local disk. Not used with DATABASE_URL.`,
});

/** Returns the URL of a zone's database, for `openDatabase`. */
export function databaseUrlOf(
  { DATABASE_URL, DATA_DIR }: ConfigValues<typeof databaseVariables>,
  zone: string,
): string {
  return DATABASE_URL ?? `sqlite:${resolve(DATA_DIR, `${zone}.sqlite`)}`;
}

/** Returns a warning if the database connection can be read or intercepted on the network. https://node-postgres.com/features/ssl */
export function databaseWarnings({ DATABASE_URL: text }: { readonly DATABASE_URL?: string }): readonly string[] {
  if (text === undefined) return [];
  const { hostname, searchParams } = new URL(text);
  const local = hostname === "" || isLoopback(hostname) || searchParams.get("host")?.startsWith("/") === true;
  if (local || searchParams.get("ssl") === "true") return [];
  const mode = searchParams.get("sslmode");
  // A name without a dot is one of a private network, such as that of Compose.
  if (mode === "disable" && !hostname.includes(".")) return [];
  if (!mode || mode === "disable")
    return ["DATABASE_URL does not require TLS: messages travel unencrypted. Add sslmode=verify-full to it."];
  if (mode === "no-verify")
    return ["DATABASE_URL has sslmode=no-verify: an attacker can impersonate the database. Use sslmode=verify-full."];
  return [];
}

/** What no operator of either zone needs to change. @public */
export const zoneConstants = {
  ...connectionConstants,
  MAX_DEPTH: constant(64, "levels")`Arrays and objects inside each other in a request, which itself is the first.`,
  MAX_DATABASE_CONNECTIONS: constant(10, "connections")`PostgreSQL connections per process.`,
  FILE_TIMEOUT_MS: constant(30_000, "ms")`Time to read one file.`,
  STOP_GRACE_MS: constant(4_000, "ms")`
    Time that running work can continue after a stop signal, before another process takes it over. Cloud Run kills a
    process after 10 s.`,
};

/** What both zones read in the same way. */
export const zoneVariables = {
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
    LOG_CONTENT: variable(oneOf(["on", "off"]).optional())`
        Whether log lines have what agents and models said: the first 200 characters of a registered agent's answer,
        and errors that quote. Default: on without DATA_KEYS, off with them.`,
  }),
  ...tracingVariables,
  ...zoneConstants,
};

export type ZoneVariables = typeof zoneVariables;

/** Returns whether log lines have what agents and models said. */
export const logsContent = ({ LOG_CONTENT: set, DATA_KEYS: keys }: Partial<ConfigValues<ZoneVariables>>): boolean =>
  set === undefined ? keys === undefined : set === "on";

/** Returns the problems between the variables of `zoneVariables`. Variables that could not be read are absent. */
export function zoneProblems(config: Partial<ConfigValues<ZoneVariables>>): ConfigProblem[] {
  return [...dataKeysProblems(config), ...tracingProblems(config)];
}
