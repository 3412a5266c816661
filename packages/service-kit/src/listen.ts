import { once } from "node:events";
import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The variable that sets the port, for the error text. */
  readonly portVariable?: string;
}

export interface BoundAddress {
  readonly host: string;
  readonly port: number;
  /** The server's URL on this machine, without a trailing slash: `http://127.0.0.1:4000`, or `https:` with TLS. */
  readonly url: string;
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

/** Listens and returns the bound address. Rejects with a `ListenError`; the server can be tried again. */
export async function listen(server: Server, options: ListenOptions): Promise<BoundAddress> {
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
  return {
    host: address.address,
    port: address.port,
    url: `${scheme}://${reachable(address.address)}:${address.port}`,
  };
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
