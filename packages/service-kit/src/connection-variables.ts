import type { z } from "zod";
import { duration, wholeNumber } from "./config-kinds.ts";
import {
  constant,
  defineConfig,
  type ConfigConstant,
  type ConfigEntry,
  type ConfigValues,
} from "./config-definition.ts";
import type { HttpLimits } from "./http-server.ts";

const group = "Capacity";

type ConnectionDefinition = Readonly<
  Record<"KEEP_ALIVE_TIMEOUT" | "MAX_CONNECTIONS", ConfigEntry<z.ZodType<number, string>>>
>;

/** The variables of an HTTP server's connections, for the configuration of an app. */
export const connectionVariables: ConnectionDefinition = defineConfig({
  KEEP_ALIVE_TIMEOUT: {
    // With 0, Node has no limit at all.
    schema: duration({ min: 100 }),
    default: "65s",
    description:
      "How long the server keeps an idle connection open. Set it above the idle timeout of the load balancer in front.",
    group,
    formerly: "KEEP_ALIVE_TIMEOUT_MS",
  },
  MAX_CONNECTIONS: {
    schema: wholeNumber({ min: 1, max: 1_000_000 }),
    default: "10000",
    description:
      "Open connections per process. One more closes the oldest idle connection. Each connection needs a file descriptor.",
    group,
  },
});

type ConnectionConstant = "HEADERS_TIMEOUT_MS" | "REQUEST_TIMEOUT_MS" | "READ_TIMEOUT_MS" | "MAX_HEADER";

/** The constants of an HTTP server's connections, for the configuration of an app. */
export const connectionConstants: Readonly<Record<ConnectionConstant, ConfigConstant<number>>> = defineConfig({
  HEADERS_TIMEOUT_MS: constant(3_000, "ms", "Time for the header of a request to arrive. Ends slow-header attacks."),
  REQUEST_TIMEOUT_MS: constant(
    4_000,
    "ms",
    "Time for a whole request to arrive. At most 1 MB comes from Slack or a zone.",
  ),
  READ_TIMEOUT_MS: constant(30_000, "ms", "Time in which a client reads nothing of a response before it is cut off."),
  MAX_HEADER: constant(16_384, "bytes", "Request line and headers together: the default of Node."),
});

type ConnectionConfig = ConfigValues<ConnectionDefinition & typeof connectionConstants>;

/** The same as limits of `createHttpServer`. */
export function httpLimits(config: ConnectionConfig): Required<Omit<HttpLimits, "onBadRequest" | "tls">> {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    readTimeoutMs: config.READ_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT,
    maxHeaderBytes: config.MAX_HEADER,
    maxConnections: config.MAX_CONNECTIONS,
  };
}
