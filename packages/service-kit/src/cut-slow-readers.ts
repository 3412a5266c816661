import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** What had left for a client when it was looked at, and since when that has not changed. */
interface Stall {
  readonly sent: number;
  readonly since: number;
}

/**
 * Closes connections whose client takes nothing of an answer for `timeoutMs`. Node has no time limit for that, and what the client
 * does not take stays in memory. Looked at from time to time, so that a good request pays nothing; an answer that has not begun is
 * not waited for by anybody but the client, so it may take as long as it likes.
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
