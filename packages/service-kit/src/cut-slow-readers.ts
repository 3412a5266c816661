import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** The bytes sent to a client at the last check, and since when they have not changed. */
interface Stall {
  readonly sent: number;
  readonly since: number;
}

/**
 * Closes connections whose client reads nothing of a pending response for `timeoutMs`. Node has no timeout for that, and unread data stays
 * in memory. It polls, so that normal requests have no overhead. A response that has not begun has no time limit.
 */
export function cutSlowReaders(server: Server, connections: Connections, timeoutMs: number): void {
  let stalled = new Map<Socket, Stall>();
  const look = (): void => {
    const now = performance.now();
    const still = new Map<Socket, Stall>();
    for (const socket of connections.open) {
      if (socket.writableLength === 0) continue;
      const sent = socket.bytesWritten - socket.writableLength;
      const before = stalled.get(socket);
      const stall = before?.sent === sent ? before : { sent, since: now };
      if (now - stall.since >= timeoutMs) socket.destroy();
      else still.set(socket, stall);
    }
    stalled = still;
  };
  let timer: NodeJS.Timeout | undefined;
  server.on("listening", () => {
    timer = setInterval(look, Math.min(1_000, timeoutMs));
    timer.unref();
  });
  server.on("close", () => clearInterval(timer));
}
