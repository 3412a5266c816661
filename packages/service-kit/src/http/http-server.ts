import { constants } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Server as NetServer } from "node:net";
import { Server as TlsServer } from "node:tls";
import { type ConfigValues, constant } from "../config/definition.ts";
import { answerBadRequests, type BadRequest, type BadRequestAnswer } from "./bad-request.ts";
import {
  connectionsOf,
  cutSlowReaders,
  type ServedExchange,
  limitConnections,
  lingerAfterRefusals,
  trackConnections,
} from "./connections.ts";
import { createTrustProxies } from "./read-request.ts";

export interface HttpLimits {
  /** Timeout for receiving a whole request, header and body (default 4,000 ms). Does not limit the response. */
  readonly requestTimeoutMs?: number;
  /** Timeout for receiving the header, from the first byte or the connection (default 3,000 ms). */
  readonly headersTimeoutMs?: number;
  /** Timeout for a client that reads nothing of a pending response (default 30,000 ms). */
  readonly readTimeoutMs?: number;
  /** Timeout of an idle connection. Must be longer than the load balancer's, or requests get lost (default 65,000 ms). */
  readonly keepAliveTimeoutMs?: number;
  /** Maximum size of request line and header, bytes; larger ones get 431 (default 16,384). */
  readonly maxHeaderBytes?: number;
  /** Maximum number of open connections. For another one, the oldest idle one is closed (default 10,000). */
  readonly maxConnections?: number;
  /** Addresses and subnets of proxies whose `X-Forwarded-For` is believed. See `senderOf` (default none). */
  readonly trustedProxies?: readonly string[];
  /** Returns the response body for a malformed request, which never reaches the listener. */
  readonly onBadRequest?: (error: BadRequest) => BadRequestAnswer;
  /** Serves HTTPS only. */
  readonly tls?: ServerTls;
}

/**
 * Creates an HTTP/1.1 server with limits against slow and broken clients. Call `listen` to start it. The timeouts only cover what the
 * client sends, so a long poll can wait. https://nodejs.org/api/http.html#serverrequesttimeout
 */
export function createHttpServer(listener: RequestListener, limits: HttpLimits = {}): Server {
  const options = {
    headersTimeout: limits.headersTimeoutMs ?? 3_000,
    requestTimeout: limits.requestTimeoutMs ?? 4_000,
    connectionsCheckingInterval: 500,
    keepAliveTimeout: limits.keepAliveTimeoutMs ?? 65_000,
    maxHeaderSize: limits.maxHeaderBytes ?? 16_384,
    // TCP keep-alive detects clients that vanish during a long poll.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Checked below: Node would respond without a body.
    requireHostHeader: false,
  };
  const server = limits.tls === undefined ? createServer(options) : createTlsServer(options, limits.tls);
  server.maxRequestsPerSocket = 0;
  const connections = trackConnections(server);
  lingerAfterRefusals(server, connections);
  limitConnections(server, connections, limits.maxConnections ?? 10_000);
  cutSlowReaders(server, connections, limits.readTimeoutMs ?? 30_000);
  const refuse = answerBadRequests(server, connections, limits.onBadRequest);
  const trustProxies = createTrustProxies(limits.trustedProxies ?? []);
  server.on("request", (request, response) => {
    trustProxies(request);
    if (request.httpVersionMajor < 1) return refuse(response, { status: 400, code: "HTTP_VERSION" });
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    const lacksHost = request.httpVersion === "1.1" && request.headers.host === undefined;
    if (lacksHost) refuse(response, { status: 400, code: "HOST_MISSING" });
    else listener(request, response);
  });
  return server;
}

/** A server's certificate and key, PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** CA certificates for client certificates. */
  readonly ca?: string;
}

export interface ServerTls {
  /** Called for each new connection. A different object replaces the material. See `openLiveFiles`. */
  readonly material: () => TlsMaterial;
  /**
   * Requests a client certificate. A missing or invalid one does not end the connection: the request handler checks the socket's
   * `authorized` and can respond with an error. Health checks need no certificate.
   */
  readonly askClients?: boolean;
}

/** Creates an HTTPS server with at least TLS 1.2, whose certificate can be replaced while it runs. */
function createTlsServer(options: ServerOptions, { material, askClients = false }: ServerTls): Server {
  let current = material();
  const secure = {
    minVersion: "TLSv1.2",
    // A session ticket would reuse an earlier verification of the client's certificate, which may be outdated.
    secureOptions: askClients ? constants.SSL_OP_NO_TICKET : undefined,
  } as const;
  const server = createHttpsServer({
    ...options,
    ...secure,
    ...current,
    requestCert: askClients,
    rejectUnauthorized: false,
    handshakeTimeout: options.headersTimeout,
  });
  // Runs before Node's own listener, which starts the handshake.
  server.prependListener("connection", () => {
    const next = material();
    if (next === current) return;
    current = next;
    server.setSecureContext({ ...secure, ...next });
  });
  return server;
}

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The variable that sets the port, for the error text. */
  readonly portVariable?: string;
}

/** Why a server cannot listen, and what to do, in one line. `cause` is Node's error. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string;

  constructor(message: string, cause: NodeJS.ErrnoException) {
    super(message, { cause });
    this.code = cause.code ?? "UNKNOWN";
  }
}

/**
 * Listens and returns the bound address, and the server's URL on this machine, without a trailing slash: `http://127.0.0.1:4000`, or
 * `https:` with TLS. Rejects with a `ListenError`; the server can be tried again.
 */
export async function listen(
  server: Server,
  options: ListenOptions,
): Promise<{ readonly host: string; readonly port: number; readonly url: string }> {
  try {
    server.listen({ port: options.port, host: options.host });
    await once(server, "listening");
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    throw new ListenError(listenProblem(cause, options), cause);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server listens on no TCP port");
  const scheme = server instanceof TlsServer ? "https" : "http";
  const { address: host, port } = address;
  return { host, port, url: `${scheme}://${reachable(host)}:${port}` };
}

function listenProblem(cause: NodeJS.ErrnoException, { port, host, portVariable }: ListenOptions): string {
  const set = portVariable === undefined ? "take another one" : `set ${portVariable}`;
  const reasons = new Map([
    ["EADDRINUSE", `port ${port} is in use; free it or ${set}`],
    ["EACCES", `port ${port} needs more rights than this process has; ${set}`],
    ["ERR_SOCKET_BAD_PORT", `port ${port} does not exist; ${set} (0 to 65535)`],
    ["EADDRNOTAVAIL", `${host} is not an address of this machine`],
    ["ENOTFOUND", `${host} is not a known host`],
  ]);
  const code = cause.code ?? "";
  return reasons.get(code) ?? `cannot listen on ${host} port ${port} (${code || cause.message})`;
}

function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Stops a server of `createHttpServer`. It accepts no new connections, closes idle ones, and lets running requests end until `deadlineMs`
 * has passed or `signal` aborts. Then it cuts the rest. Resolves with their number when every connection is closed.
 */
export async function close(
  server: Server,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly destroyed: number }> {
  const connections = connectionsOf(server);
  // The server has emitted its last "close" when its sockets are about to.
  if (!server.listening && [...connections.open].every((socket) => socket.closed)) return { destroyed: 0 };
  const closed = once(server, "close");
  connections.onExchange = closeAfter;
  // Not the HTTP server's `close`: it would cut responses that a slow client has not read completely.
  if (server.listening) NetServer.prototype.close.call(server);
  for (const socket of connections.open) {
    const exchange = connections.latest(socket);
    if (exchange !== undefined && !exchange.response.writableFinished) closeAfter(exchange);
    else if (exchange !== undefined || socket.bytesRead === 0) socket.destroySoon();
  }
  let destroyed = 0;
  const cut = (): void => {
    destroyed = connections.open.size;
    for (const socket of connections.open) socket.destroy();
  };
  const timer = setTimeout(cut, deadlineMs);
  signal?.addEventListener("abort", cut, { once: true });
  try {
    await closed;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cut);
    // Stops the timer with which the HTTP server checks for slow clients.
    server.close();
  }
  return { destroyed };
}

/** Closes the connection after the response, and announces it if the headers are not sent yet. */
function closeAfter({ request, response }: ServedExchange): void {
  if (!response.headersSent) response.setHeader("connection", "close");
  response.once("close", () => request.socket.destroySoon());
}

/** The constants of an HTTP server's connections, for the configuration of an app. */
export const connectionConstants = {
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

export function httpLimits(
  config: ConfigValues<typeof connectionConstants> & { readonly TRUSTED_PROXIES: readonly string[] },
) {
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
