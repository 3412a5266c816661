import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import type { EventAttempt, RetryReason } from "./event-envelope.ts";

/** The response of a socket. */
export interface SocketAnswer {
  /** Set if there was no acknowledgment. */
  reason?: RetryReason;
  /** The payload of the acknowledgment. */
  payload?: unknown;
}

/** A message that the app acknowledges by its envelope id. */
export type SocketMessage = { envelope_id: string } & Record<string, unknown>;

/** Sends messages to connected sockets and waits for their acknowledgments. */
export interface SocketExchange {
  readonly sockets: readonly WebSocket[];
  /** Adds a connected socket until it closes. */
  readonly add: (socket: WebSocket) => void;
  /** Sends to the sockets in rotation. Throws if none is connected. */
  readonly send: (message: SocketMessage, signal?: AbortSignal) => Promise<SocketAnswer>;
}

export function createSocketExchange(ackTimeoutMs: number): SocketExchange {
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
export function socketMessage({ envelope, retryNum, retryReason }: EventAttempt): SocketMessage {
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
