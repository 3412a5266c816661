import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { connectionsOf, type Exchange } from "./connections.ts";

export interface CloseReport {
  /** Connections that were still busy at the deadline and were cut. */
  readonly destroyed: number;
}

/**
 * Stops a server of `createHttpServer`. It accepts no new connections, closes idle ones, and lets running requests end until `deadlineMs`
 * has passed or `signal` aborts. Then it cuts the rest. Resolves when every connection is closed.
 */
export async function close(
  server: Server,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<CloseReport> {
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
