import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

export interface ServedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of a server and their latest requests. Node tracks them too, but does not expose them. */
export interface ServerConnections {
  readonly open: ReadonlySet<Socket>;
  /** The latest exchange on a connection, running or ended. */
  readonly latest: (socket: Socket) => ServedExchange | undefined;
  /** Called for each new exchange before the listener. */
  onExchange?: (exchange: ServedExchange) => void;
}

const known = new WeakMap<Server, ServerConnections>();

/** Starts to track the connections of a server. Call it before adding the listener. */
export function trackConnections(server: Server): ServerConnections {
  const open = new Set<Socket>();
  const latest = new WeakMap<Socket, ServedExchange>();
  const connections: ServerConnections = { open, latest: (socket) => latest.get(socket) };
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
export function connectionsOf(server: Server): ServerConnections {
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

/**
 * Limits a server to `maxConnections`. For another connection, closes the oldest one whose response is sent or that has sent no request;
 * otherwise the oldest one whose request is incomplete. So clients that only hold connections open lock no other client out. If all connections
 * wait for a response, the new one is closed.
 */
export function limitConnections(server: Server, connections: ServerConnections, maxConnections: number): void {
  server.on("connection", (added) => {
    if (connections.open.size <= maxConnections) return;
    (find(connections, isIdle, added) ?? find(connections, isUnread, added) ?? added).destroy();
  });
}

type Trait = (connections: ServerConnections, socket: Socket) => boolean;

/** Oldest first: a set keeps insertion order. A destroyed socket stays in it until it is closed. */
function find(connections: ServerConnections, trait: Trait, except: Socket): Socket | undefined {
  for (const socket of connections.open)
    if (socket !== except && !socket.destroyed && trait(connections, socket)) return socket;
  return undefined;
}

const isIdle: Trait = ({ latest }, socket) => latest(socket)?.response.writableFinished ?? true;
const isUnread: Trait = ({ latest }, socket) => latest(socket)?.request.complete === false;

/** How long a refused client may continue to send, milliseconds. */
const lingerMs = 500;

/**
 * Closes a connection gracefully if its request was answered before all of it had arrived: sends nothing more, discards input for a moment,
 * then closes. Closing at once would reset a client that is still sending, and destroy the response.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function lingerAfterRefusals(server: Server, { latest }: ServerConnections): void {
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

/**
 * Closes connections whose client reads nothing of a pending response for `timeoutMs`. Node has no timeout for that, and unread data stays
 * in memory. It polls, so that normal requests have no overhead. A response that has not begun has no time limit.
 */
export function cutSlowReaders(server: Server, connections: ServerConnections, timeoutMs: number): void {
  /** The bytes sent to clients at the last check, and since when they have not changed. */
  let stalled = new Map<Socket, { readonly sent: number; readonly since: number }>();
  const look = (): void => {
    const now = performance.now();
    const still: typeof stalled = new Map();
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
