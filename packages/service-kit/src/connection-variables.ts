import type { z } from "zod";
import { byteSize, durationMs, wholeNumber } from "./config-kinds.ts";
import type { ConfigProblem } from "./config-error.ts";
import { defineConfig, type ConfigEntry, type ConfigValues } from "./config-definition.ts";
import type { HttpLimits } from "./http-server.ts";

const group = "Connections";
/** With 0, Node has no limit at all. */
const atLeast = { min: 100 };

type ConnectionVariable =
  | "HEADERS_TIMEOUT_MS"
  | "REQUEST_TIMEOUT_MS"
  | "READ_TIMEOUT_MS"
  | "KEEP_ALIVE_TIMEOUT_MS"
  | "MAX_HEADER"
  | "MAX_CONNECTIONS";

type ConnectionDefinition = Readonly<Record<ConnectionVariable, ConfigEntry<z.ZodType<number, string>>>>;

/** The variables of what an HTTP server takes from a connection, for the configuration of an app. */
export const connectionVariables: ConnectionDefinition = defineConfig({
  HEADERS_TIMEOUT_MS: {
    schema: durationMs(atLeast),
    default: "3000",
    description: "How long the header of a request may take to arrive.",
    group,
  },
  REQUEST_TIMEOUT_MS: {
    schema: durationMs(atLeast),
    default: "4000",
    description: "How long a whole request may take to arrive, header and body. Its answer may take longer.",
    group,
  },
  READ_TIMEOUT_MS: {
    schema: durationMs(atLeast),
    default: "30000",
    description: "How long a client may take nothing of an answer that is ready for it.",
    group,
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    schema: durationMs(atLeast),
    default: "65000",
    description: "How long an idle connection is kept. Longer than the load balancer in front keeps it.",
    group,
  },
  MAX_HEADER: {
    schema: byteSize({ min: 1_024, max: 1_048_576 }),
    default: "16KB",
    description: "Largest request line and header together.",
    group,
  },
  MAX_CONNECTIONS: {
    schema: wholeNumber({ min: 1, max: 1_000_000 }),
    default: "10000",
    description: "Open connections at most; for one more, the oldest idle one is closed. Each needs a file descriptor.",
    group,
  },
});

type ConnectionConfig = ConfigValues<ConnectionDefinition>;

/** The same as limits of `createHttpServer`. */
export function httpLimits(config: ConnectionConfig): Required<Omit<HttpLimits, "onBadRequest" | "tls">> {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    readTimeoutMs: config.READ_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderBytes: config.MAX_HEADER,
    maxConnections: config.MAX_CONNECTIONS,
  };
}

/** What no variable can say alone: a header is a part of its request. */
export function connectionProblems(config: Partial<ConnectionConfig>): ConfigProblem[] {
  const { HEADERS_TIMEOUT_MS: header, REQUEST_TIMEOUT_MS: request } = config;
  if (header === undefined || request === undefined || header <= request) return [];
  const wrong = `is longer than REQUEST_TIMEOUT_MS, ${request}`;
  return [{ name: "HEADERS_TIMEOUT_MS", wrong, expected: "the same or less: the header is a part of the request" }];
}
