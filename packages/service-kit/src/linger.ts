import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** How long a client that was refused may go on sending before it is cut. */
const lingerMs = 500;

/**
 * Closes a connection whose request was answered before all of it had come in two steps: nothing more is sent, what still comes
 * is thrown away for a moment, and only then it is closed. A close at once is a reset for whoever is still sending, and destroys
 * the answer on its way. https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function lingerAfterRefusals(server: Server, { latest }: Connections): void {
  const prepared = new WeakSet<Socket>();
  const prepare = ({ socket }: IncomingMessage): void => {
    if (prepared.has(socket)) return;
    prepared.add(socket);
    const closeNow = socket.destroySoon.bind(socket);
    // What Node calls once the last answer of a connection is written.
    socket.destroySoon = () => {
      const request = latest(socket)?.request;
      if (request === undefined || request.complete || socket.destroyed) return closeNow();
      socket.end();
      request.resume();
      cutSoon(socket);
    };
  };
  server.on("request", prepare);
  server.on("checkExpectation", prepare);
}

/** Cuts a refused client that has not closed the connection by then: a reset at once could destroy the answer on its way. */
export function cutSoon(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(cut));
}
