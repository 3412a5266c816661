import { constants } from "node:crypto";
import type { Server, ServerOptions } from "node:http";
import { createServer } from "node:https";

/** A server's certificate and key, PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
  /** CA certificates for client certificates. */
  readonly ca?: string | undefined;
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
export function createTlsServer(options: ServerOptions, { material, askClients = false }: ServerTls): Server {
  let current = material();
  const secure = {
    minVersion: "TLSv1.2",
    // A session ticket would reuse an earlier verification of the client's certificate, which may be outdated.
    ...(askClients && { secureOptions: constants.SSL_OP_NO_TICKET }),
  } as const;
  const server = createServer({
    ...options,
    ...secure,
    ...current,
    requestCert: askClients,
    rejectUnauthorized: false,
    ...(options.headersTimeout !== undefined && { handshakeTimeout: options.headersTimeout }),
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
