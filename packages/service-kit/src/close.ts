import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { connectionsOf, type Exchange } from "./connections.ts";

export interface CloseReport {
  /** Connections that were cut because they were still busy at the deadline. */
  readonly destroyed: number;
}

/**
 * Stops a server of `createHttpServer`: takes no new connection, closes the idle ones, lets running requests end
 * until `deadlineMs` has passed or `signal` aborts, then cuts what is left. Resolves when every connection is gone.
 */
export async function close(
  server: Server,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<CloseReport> {
  const connections = connectionsOf(server);
  if (!server.listening && connections.open.size === 0) return { destroyed: 0 };
  const closed = once(server, "close");
  connections.onExchange = closeAfter;
  // Not the `close` of the HTTP server: it cuts answers that are ended but not yet read by a slow client.
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
    // Ends the timer with which the HTTP server looks for slow clients.
    server.close();
  }
  return { destroyed };
}

/** Ends the connection behind an answer, and says so to the client while there is still time. */
function closeAfter({ request, response }: Exchange): void {
  if (!response.headersSent) response.setHeader("connection", "close");
  response.once("close", () => request.socket.destroySoon());
}
