import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/**
 * Limits a server to `maxConnections`. For another connection, closes the oldest one whose response is sent or that has sent no request;
 * otherwise the oldest one whose request is incomplete. So clients that only hold connections open lock nobody else out. If all connections
 * wait for a response, the new one is closed.
 */
export function limitConnections(server: Server, connections: Connections, maxConnections: number): void {
  server.on("connection", (added) => {
    if (connections.open.size <= maxConnections) return;
    (find(connections, isIdle, added) ?? find(connections, isUnread, added) ?? added).destroy();
  });
}

type Trait = (connections: Connections, socket: Socket) => boolean;

/** Oldest first: a set keeps insertion order. A destroyed socket stays in it until it is closed. */
function find(connections: Connections, trait: Trait, except: Socket): Socket | undefined {
  for (const socket of connections.open)
    if (socket !== except && !socket.destroyed && trait(connections, socket)) return socket;
  return undefined;
}

const isIdle: Trait = ({ latest }, socket) => latest(socket)?.response.writableFinished ?? true;
const isUnread: Trait = ({ latest }, socket) => latest(socket)?.request.complete === false;
