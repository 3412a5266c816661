import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** How long a refused client may continue to send, milliseconds. */
const lingerMs = 500;

/**
 * Closes a connection gracefully if its request was answered before all of it had arrived: sends nothing more, discards input for a moment,
 * then closes. Closing at once would reset a client that is still sending, and destroy the response.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function lingerAfterRefusals(server: Server, { latest }: Connections): void {
  const prepared = new WeakSet<Socket>();
  const prepare = ({ socket }: IncomingMessage): void => {
    if (prepared.has(socket)) return;
    prepared.add(socket);
    const closeNow = socket.destroySoon.bind(socket);
    // Node calls this after the last response of a connection.
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

/** Cuts a refused client that does not close the connection in time. An immediate reset could destroy the response. */
export function cutSoon(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(cut));
}
