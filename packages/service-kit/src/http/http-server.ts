import { constants } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { answerBadRequests, type BadRequest, type BadRequestAnswer } from "./bad-request.ts";
import { createTrustProxies } from "./read-request.ts";
import { cutSlowReaders, limitConnections, lingerAfterRefusals, trackConnections } from "./connections.ts";

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
  const { refuse } = answerBadRequests(server, connections, limits.onBadRequest ?? plainAnswer);
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

function plainAnswer({ reason }: BadRequest): BadRequestAnswer {
  return { contentType: "text/plain; charset=utf-8", body: reason };
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
    ...(askClients && { secureOptions: constants.SSL_OP_NO_TICKET }),
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
