import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { Server as TlsServer } from "node:tls";
import { connectionsOf, type Exchange } from "./connections.ts";

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
    throw new ListenError(reason(cause, options), cause);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server listens on no TCP port");
  const scheme = server instanceof TlsServer ? "https" : "http";
  const { address: host, port } = address;
  return { host, port, url: `${scheme}://${reachable(host)}:${port}` };
}

function reason(cause: NodeJS.ErrnoException, { port, host, portVariable }: ListenOptions): string {
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
  if (!server.listening && connections.open.size === 0) return { destroyed: 0 };
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
function closeAfter({ request, response }: Exchange): void {
  if (!response.headersSent) response.setHeader("connection", "close");
  response.once("close", () => request.socket.destroySoon());
}
