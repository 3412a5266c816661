import { type ConfigConstant, type ConfigValues, constant } from "../config/definition.ts";
import type { HttpLimits } from "./http-server.ts";

type ConnectionConstant =
  | "HEADERS_TIMEOUT_MS"
  | "REQUEST_TIMEOUT_MS"
  | "READ_TIMEOUT_MS"
  | "KEEP_ALIVE_TIMEOUT_MS"
  | "MAX_HEADER"
  | "MAX_CONNECTIONS";

/** The constants of an HTTP server's connections, for the configuration of an app. */
export const connectionConstants: Readonly<Record<ConnectionConstant, ConfigConstant<number>>> = {
  HEADERS_TIMEOUT_MS: constant(3_000, "ms")`Time for the header of a request to arrive. Ends slow-header attacks.`,
  REQUEST_TIMEOUT_MS: constant(4_000, "ms")`
    Time for a whole request to arrive. At most 1 MB comes from Slack or a zone.`,
  READ_TIMEOUT_MS: constant(30_000, "ms")`Time in which a client reads nothing of a response before it is cut off.`,
  KEEP_ALIVE_TIMEOUT_MS: constant(620_000, "ms")`
    Life of an idle connection. It is longer than in load balancers: Google's keep theirs for 600 s.`,
  MAX_HEADER: constant(16_384, "bytes")`Request line and headers together: the default of Node.`,
  MAX_CONNECTIONS: constant(10_000, "connections")`
    Open connections per process. One more closes the oldest idle connection. Each connection needs a file descriptor.`,
};

type ConnectionConfig = ConfigValues<typeof connectionConstants> & { readonly TRUSTED_PROXIES: readonly string[] };

/** Returns the limits for `createHttpServer`. */
export function httpLimits(config: ConnectionConfig): Required<Omit<HttpLimits, "onBadRequest" | "tls">> {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    readTimeoutMs: config.READ_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderBytes: config.MAX_HEADER,
    maxConnections: config.MAX_CONNECTIONS,
    trustedProxies: config.TRUSTED_PROXIES,
  };
}

/** Files and sockets in addition to the connections: the server itself, logs, outgoing calls, the database. */
const spareFiles = 200;

/**
 * Returns how many files and sockets this process can open; undefined if the limit is infinite or unknown. Node raises the soft limit to the
 * hard limit when it starts, and its report shows the result.
 */
export function openFilesLimit(): number | undefined {
  // Without this switch, the report resolves a host name for each open connection. The types lack the switch.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/**
 * Compares the limit of open files (`ulimit -n`) with the number that `MAX_CONNECTIONS` needs. Returns a warning if it is too low; otherwise
 * an empty list.
 */
export function openFilesWarnings(
  { MAX_CONNECTIONS: value }: { readonly MAX_CONNECTIONS: number },
  limit: number | undefined = openFilesLimit(),
): readonly string[] {
  const needed = value + spareFiles;
  if (limit === undefined || limit >= needed) return [];
  const says = `${limit} may be open, ${needed} may be needed (MAX_CONNECTIONS and ${spareFiles})`;
  return [`Open files: ${says}. Raise the limit (ulimit -n ${needed}, LimitNOFILE= of systemd).`];
}
