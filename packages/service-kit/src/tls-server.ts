import { constants } from "node:crypto";
import type { Server, ServerOptions } from "node:http";
import { createServer } from "node:https";

/** What a server proves itself with, PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
  /** Who may have signed the certificates of clients. */
  readonly ca?: string | undefined;
}

export interface ServerTls {
  /** Asked at each new connection: another object than the last time is used from then on. See `openLiveFiles`. */
  readonly material: () => TlsMaterial;
  /**
   * Asks clients for a certificate. One without, or with a bad one, is connected all the same: whoever decides about requests
   * looks at the socket's `authorized` and certificate, and can answer in words. Health checks need none.
   */
  readonly askClients?: boolean;
}

/** Makes an HTTPS server, TLS 1.2 at least, whose certificate can be replaced while it runs. */
export function createTlsServer(options: ServerOptions, { material, askClients = false }: ServerTls): Server {
  let current = material();
  const secure = {
    minVersion: "TLSv1.2",
    // With a ticket a client takes up what an earlier handshake found out about its certificate, which may be out of date.
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
  // Before Node's own listener, which begins the handshake.
  server.prependListener("connection", () => {
    const next = material();
    if (next === current) return;
    current = next;
    server.setSecureContext({ ...secure, ...next });
  });
  return server;
}
