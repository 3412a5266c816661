import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { AttemptOutcome, EventAttempt, EventTransport } from "./event-envelope.ts";
import { createSocketExchange, type SocketAnswer, socketMessage, type SocketMessage } from "./socket-exchange.ts";

/** The server side of Socket Mode. See https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface SocketHub {
  /** Returns the path, query and one-time ticket of a new connection, valid for 30 s, for `apps.connections.open`. */
  openLink(): string;
  connected(): boolean;
  /** Sends an event to the connected sockets in rotation, and waits for its acknowledgment. */
  transport: EventTransport;
  /** Sends a slash command to one of them; resolves with the payload of its acknowledgment, or the reason for none. */
  command(form: Readonly<Record<string, string>>): Promise<SocketAnswer>;
  /** Asks every app to open another socket, as Slack does every few hours. */
  refresh(): void;
  /** Handles an HTTP upgrade; refuses it without a valid ticket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** Options of the hub. */
export interface SocketHubOptions {
  appId: string;
  /** Timeout for an app's acknowledgment, milliseconds. */
  ackTimeoutMs: number;
  /** Pause between the server's pings, milliseconds; Slack's clients disconnect after 30 s without one. */
  pingEveryMs?: number;
}

const TICKET_LIFE_MS = 30_000;
const CLOSE_TIMEOUT_MS = 500;

/** Makes a hub without connections. */
export function createSocketHub({ appId, ackTimeoutMs, pingEveryMs = 10_000 }: SocketHubOptions): SocketHub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 });
  const tickets = new Map<string, number>();
  const { add, send, sockets } = createSocketExchange(ackTimeoutMs);
  const pings = setInterval(() => sockets.forEach((socket) => socket.ping("Ping from the local Slack")), pingEveryMs);
  pings.unref();

  function accept(socket: WebSocket): void {
    add(socket);
    const hello = {
      type: "hello",
      num_connections: sockets.length,
      debug_info: { host: "applink-local", build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: appId },
    };
    socket.send(JSON.stringify(hello));
  }

  return {
    openLink: () => {
      const ticket = randomUUID();
      tickets.set(ticket, Date.now() + TICKET_LIFE_MS);
      return `/link/?ticket=${ticket}&app_id=${appId}`;
    },
    connected: () => sockets.length > 0,
    transport: (attempt, signal) => sendEvent(attempt, (message) => send(message, signal)),
    command: (payload) =>
      send({ envelope_id: randomUUID(), payload, type: "slash_commands", accepts_response_payload: true }),
    refresh: () => {
      for (const socket of sockets) socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    },
    upgrade: (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
      const ticket = searchParams.get("ticket") ?? "";
      const expires = tickets.get(ticket) ?? 0;
      tickets.delete(ticket);
      if (pathname !== "/link/" || expires < Date.now()) {
        socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    close: async () => {
      clearInterval(pings);
      await Promise.all(sockets.map(closeSocket));
      server.close();
    },
  };
}

async function sendEvent(
  attempt: EventAttempt,
  send: (message: SocketMessage) => Promise<SocketAnswer>,
): Promise<AttemptOutcome> {
  const message = socketMessage(attempt);
  const { reason } = await send(message);
  const isAccepted = reason === undefined;
  return {
    status: isAccepted ? 200 : 0,
    accepted: isAccepted,
    noRetry: false,
    ...(reason && { reason }),
    request: message,
    response: isAccepted ? { acknowledged: message.envelope_id } : { error: reason },
  };
}

async function closeSocket(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve());
  socket.close(1001);
  const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  await promise;
  clearTimeout(timer);
}
