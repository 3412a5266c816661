import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { DisconnectReason, SocketMode } from "../protocol/faults.ts";
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
  setMode(changes: Partial<SocketMode>): SocketMode;
  /** Ends all sockets with a `disconnect`, as Slack does every few hours. With `link_disabled`, Socket Mode is off from then on. */
  end(reason: DisconnectReason): void;
  /** Sends a text to all sockets as it is. */
  sendFrame(frame: string): void;
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
/** After a warning, Slack leaves an app this time to open another socket. */
const WARNED_MS = 10_000;

/** Makes a hub without connections. An acknowledgment that takes longer than `ackTimeoutMs` milliseconds counts as none. */
export function createSocketHub(appId: string, ackTimeoutMs: number): SocketHub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 });
  const tickets = new Map<string, number>();
  const { add, send, sockets } = createSocketExchange(ackTimeoutMs);
  const mode: SocketMode = { enabled: true, hello: true, most: 10, half_open: false };
  /** Also those without a hello. */
  const open = new Set<WebSocket>();
  const reachable = (): WebSocket[] => [...open].filter((socket) => !socket.isPaused);
  const pings = setInterval(() => {
    for (const socket of reachable()) socket.ping("Ping from the local Slack");
  }, PING_EVERY_MS);
  pings.unref();

  function accept(socket: WebSocket): void {
    open.add(socket);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => open.delete(socket));
    if (mode.half_open) return socket.pause();
    if (!mode.enabled) return endSocket(socket, "link_disabled");
    if (sockets.length >= mode.most) return endSocket(socket, "too_many_websockets");
    if (!mode.hello) return;
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
    setMode: (changes) => {
      Object.assign(mode, changes);
      for (const socket of open) {
        if (mode.half_open) socket.pause();
        else socket.resume();
      }
      return { ...mode };
    },
    end: (reason) => {
      if (reason === "link_disabled") mode.enabled = false;
      for (const socket of reachable()) endSocket(socket, reason);
    },
    sendFrame: (frame) => {
      for (const socket of reachable()) socket.send(frame);
    },
    disconnect: () => {
      for (const socket of open) socket.terminate();
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
      await Promise.all([...open].map(closeSocket));
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

/** Tells the app why its socket ends, and closes it: at once, or when the app had time to open another. */
function endSocket(socket: WebSocket, reason: DisconnectReason): void {
  socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-local" } }));
  const isWarned = reason === "warning" || reason === "refresh_requested";
  setTimeout(() => socket.close(1000), isWarned ? WARNED_MS : 0).unref();
}

async function closeSocket(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve());
  socket.close(1001);
  // What is half open never answers.
  const timer = setTimeout(() => socket.terminate(), socket.isPaused ? 0 : CLOSE_TIMEOUT_MS);
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
      if (!socket.isPaused) socket.send(JSON.stringify(message));
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
