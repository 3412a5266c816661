import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of a server and their latest requests. Node tracks them too, but does not expose them. */
export interface Connections {
  readonly open: ReadonlySet<Socket>;
  /** The latest exchange on a connection, running or ended. */
  readonly latest: (socket: Socket) => Exchange | undefined;
  /** Called for each new exchange before the listener. */
  onExchange?: (exchange: Exchange) => void;
}

const known = new WeakMap<Server, Connections>();

/** Starts to track the connections of a server. Call it before adding the listener. */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>();
  const latest = new WeakMap<Socket, Exchange>();
  const connections: Connections = { open, latest: (socket) => latest.get(socket) };
  known.set(server, connections);
  const follow = (socket: Socket): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  };
  server.on("connection", follow);
  if (server instanceof TlsServer) followTls(server, follow, open);
  const remember = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = { request, response };
    latest.set(request.socket, exchange);
    connections.onExchange?.(exchange);
  };
  server.on("request", remember);
  server.on("checkExpectation", remember);
  return connections;
}

/** Returns the connections of a server made by `createHttpServer`. Throws a `TypeError` for any other server. */
export function connectionsOf(server: Server): Connections {
  const connections = known.get(server);
  if (connections === undefined) throw new TypeError("the server was not made by createHttpServer");
  return connections;
}

/** After its handshake, the TLS socket replaces the TCP socket below it. Node does not link the two, but their addresses match. */
function followTls(server: Server & TlsServer, follow: (socket: Socket) => void, open: Set<Socket>): void {
  const shakingHands = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const addresses = addressesOf(socket);
    shakingHands.set(addresses, socket);
    socket.once("close", () => {
      if (shakingHands.get(addresses) === socket) shakingHands.delete(addresses);
    });
  });
  server.on("secureConnection", (secure: Socket) => {
    const socket = shakingHands.get(addressesOf(secure));
    if (socket !== undefined) open.delete(socket);
    shakingHands.delete(addressesOf(secure));
    follow(secure);
  });
}

const addressesOf = (socket: Socket): string =>
  `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress} ${socket.localPort}`;
