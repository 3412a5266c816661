import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/**
 * Keeps a server at `maxConnections`. For one more, the oldest connection is closed whose answer has been sent or that has asked
 * nothing; if there is none, the oldest whose request is not here yet. So whoever only holds connections open keeps nobody out. When
 * all of them wait for an answer, the new one is closed.
 */
export function limitConnections(server: Server, connections: Connections, maxConnections: number): void {
  server.on("connection", (added) => {
    if (connections.open.size <= maxConnections) return;
    (find(connections, isIdle, added) ?? find(connections, isUnread, added) ?? added).destroy();
  });
}

type Trait = (connections: Connections, socket: Socket) => boolean;

/** Oldest first: a set keeps its order. A destroyed socket stays in it until it is closed. */
function find(connections: Connections, trait: Trait, except: Socket): Socket | undefined {
  for (const socket of connections.open)
    if (socket !== except && !socket.destroyed && trait(connections, socket)) return socket;
  return undefined;
}

const isIdle: Trait = ({ latest }, socket) => latest(socket)?.response.writableFinished ?? true;
const isUnread: Trait = ({ latest }, socket) => latest(socket)?.request.complete === false;
