import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a server is busy with. Node keeps the same list, but shows no part of it. */
export interface Connections {
  readonly open: ReadonlySet<Socket>;
  /** The exchange that began last on a connection, whether it has ended or not. */
  readonly latest: (socket: Socket) => Exchange | undefined;
  /** Runs for each exchange from now on, before the listener gets it. */
  onExchange?: (exchange: Exchange) => void;
}

const known = new WeakMap<Server, Connections>();

/** Starts to follow the connections of a server. Call it before the server gets its listener. */
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

/** The connections of a server that `createHttpServer` made; of any other, a `TypeError`. */
export function connectionsOf(server: Server): Connections {
  const connections = known.get(server);
  if (connections === undefined) throw new TypeError("the server was not made by createHttpServer");
  return connections;
}

/** From its handshake on the TLS socket stands for the TCP socket under it. Node does not tell which one that is; its addresses do. */
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
