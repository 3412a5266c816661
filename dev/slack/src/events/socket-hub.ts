import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { AttemptOutcome, EventAttempt, EventTransport, RetryReason } from "./event-envelope.ts";

/** The server side of Socket Mode. See https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface SocketHub {
  /** Returns the path, query and one-time ticket of a new connection, valid for 30 s, for `apps.connections.open`. */
  openLink(): string;
  connected(): boolean;
  /** Sends an event to the connected sockets in rotation, and waits for its acknowledgment. */
  transport: EventTransport;
  /** Sends a request to one of them; resolves with the payload of its acknowledgment, or the reason for none. */
  request(type: SocketRequestType, payload: Readonly<Record<string, unknown>>): Promise<SocketAnswer>;
  /** Asks every app to open another socket, as Slack does every few hours. */
  refresh(): void;
  /** Breaks all connections. */
  disconnect(): void;
  /** Handles an HTTP upgrade; refuses it without a valid ticket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** A request that the app acknowledges, with a payload if it has something to say. */
export type SocketRequestType = "slash_commands" | "interactive";

/** The types of payload that the app can answer in its acknowledgment; a command has no type. */
const ANSWERED: readonly unknown[] = [undefined, "view_submission"];

const TICKET_LIFE_MS = 30_000;
const CLOSE_TIMEOUT_MS = 500;
/** Slack's clients disconnect after 30 s without a ping. */
const PING_EVERY_MS = 10_000;

/** Makes a hub without connections. An acknowledgment that takes longer than `ackTimeoutMs` milliseconds counts as none. */
export function createSocketHub(appId: string, ackTimeoutMs: number): SocketHub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 });
  const tickets = new Map<string, number>();
  const { add, send, sockets } = createSocketExchange(ackTimeoutMs);
  const pings = setInterval(() => sockets.forEach((socket) => socket.ping("Ping from the local Slack")), PING_EVERY_MS);
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
    request: (type, payload) =>
      send({ envelope_id: randomUUID(), payload, type, accepts_response_payload: ANSWERED.includes(payload["type"]) }),
    refresh: () => {
      for (const socket of sockets) socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    },
    disconnect: () => {
      for (const socket of sockets) socket.terminate();
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
    reason,
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

/** The response of a socket. */
interface SocketAnswer {
  /** Set if there was no acknowledgment. */
  reason?: RetryReason;
  /** The payload of the acknowledgment. */
  payload?: unknown;
}

/** A message that the app acknowledges by its envelope id. */
type SocketMessage = { envelope_id: string } & Record<string, unknown>;

/** Sends messages to connected sockets and waits for their acknowledgments. */
interface SocketExchange {
  readonly sockets: readonly WebSocket[];
  /** Adds a connected socket until it closes. */
  readonly add: (socket: WebSocket) => void;
  /** Sends to the sockets in rotation. Throws if none is connected. */
  readonly send: (message: SocketMessage, signal?: AbortSignal) => Promise<SocketAnswer>;
}

function createSocketExchange(ackTimeoutMs: number): SocketExchange {
  const acks = new Map<string, (answer: SocketAnswer) => void>();
  const sockets: WebSocket[] = [];
  const unacknowledged = new WeakMap<WebSocket, Set<string>>();
  return {
    sockets,
    add: (socket) => {
      sockets.push(socket);
      const sent = new Set<string>();
      unacknowledged.set(socket, sent);
      socket.on("message", (data, isBinary) => {
        const ack = isBinary || !Buffer.isBuffer(data) ? undefined : readAck(data.toString());
        if (ack !== undefined) acks.get(ack.envelope_id)?.({ payload: ack.payload });
      });
      socket.on("error", () => socket.terminate());
      socket.on("close", () => {
        sockets.splice(sockets.indexOf(socket), 1);
        for (const id of sent) acks.get(id)?.({ reason: "connection_failed" });
      });
    },
    send: async (message, signal) => {
      const socket = sockets.shift();
      if (!socket) throw new Error("no socket is connected");
      sockets.push(socket);
      const { promise, resolve } = Promise.withResolvers<SocketAnswer>();
      const timer = setTimeout(resolve, ackTimeoutMs, { reason: "timeout" });
      const abort = (): void => resolve({ reason: "connection_failed" });
      signal?.addEventListener("abort", abort, { once: true });
      acks.set(message.envelope_id, resolve);
      unacknowledged.get(socket)?.add(message.envelope_id);
      socket.send(JSON.stringify(message));
      const answer = await promise;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      acks.delete(message.envelope_id);
      unacknowledged.get(socket)?.delete(message.envelope_id);
      return answer;
    },
  };
}

/** Returns the message that carries an event. */
function socketMessage({ envelope, retryNum, retryReason }: EventAttempt): SocketMessage {
  return {
    envelope_id: randomUUID(),
    payload: envelope,
    type: "events_api",
    accepts_response_payload: false,
    retry_attempt: retryNum,
    retry_reason: retryReason ?? "",
  };
}

function readAck(text: string): { envelope_id: string; payload?: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(text);
    const isAck = typeof message === "object" && message !== null && "envelope_id" in message;
    if (!isAck || typeof message.envelope_id !== "string") return undefined;
    return { envelope_id: message.envelope_id, ...("payload" in message && { payload: message.payload }) };
  } catch {
    return undefined;
  }
}
