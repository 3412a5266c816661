import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { answer, headersOf } from "./answer.ts";
import { type ServerConnections, cutSoon } from "./connections.ts";
import { requestIdOf } from "./exchange.ts";

interface Refusal {
  readonly status: 400 | 405 | 408 | 413 | 417 | 431;
  /** The parser's code, such as `HPE_INVALID_METHOD`; for the log. */
  readonly code: string;
}

/** A request that never reached the listener because it was malformed or too slow. */
export interface BadRequest extends Refusal {
  /** A fixed sentence that is safe to show to the client. */
  readonly reason: string;
  /** Created here, because the header could not be read. Sent as `x-request-id`. */
  readonly requestId: string;
}

export interface BadRequestAnswer {
  readonly contentType: string;
  readonly body: string;
}

const reasons: Readonly<Record<BadRequest["status"], string>> = {
  400: "the request is not valid HTTP/1.1",
  405: "the method is not supported",
  408: "the request took too long to arrive",
  413: "the chunk extensions of the request are too large",
  417: "the expectation is not supported",
  431: "the header of the request is too large",
};

/** Every status of a bad request, for a metric. */
export const badRequestStatuses: readonly string[] = Object.keys(reasons);

/**
 * Answers malformed requests with the app's own body, where Node would send none or no response. Returns a function that refuses a request
 * in the same way.
 */
export function answerBadRequests(
  server: Server,
  connections: ServerConnections,
  onBadRequest?: (error: BadRequest) => BadRequestAnswer,
): (response: ServerResponse, refusal: Refusal) => void {
  const contentOf = ({ status, code }: Refusal, requestId: string): BadRequestAnswer => {
    const reason = reasons[status];
    const plain = { contentType: "text/plain; charset=utf-8", body: reason };
    try {
      return onBadRequest?.({ status, code, reason, requestId }) ?? plain;
    } catch {
      return plain;
    }
  };
  const refuse = (response: ServerResponse, refusal: Refusal): void =>
    answer(response, refusal.status, {
      ...contentOf(refusal, requestIdOf(response)),
      headers: ["connection", "close"],
    });
  const write = (socket: Socket, status: BadRequest["status"], code: string): void => {
    if (!socket.writable) return void socket.destroy();
    const requestId = randomUUID();
    endRaw(socket, { status, requestId, ...contentOf({ status, code }, requestId) });
    if (status === 408) return socket.destroySoon();
    cutSoon(socket);
  };

  const refused = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // The parser reports an error for each further chunk of a refused client.
    if (refused.has(socket)) return;
    refused.add(socket);
    const code = error.code ?? "UNKNOWN";
    const status = statusOf(code);
    if (status === undefined) return void socket.destroy();
    const latest = connections.latest(socket);
    if (latest === undefined) return write(socket, status, code);
    if (!latest.request.complete) {
      // The broken request is the latest one. It can't be answered if the first response has begun.
      if (latest.response.headersSent) return void socket.destroy();
      return write(socket, status, code);
    }
    // A complete request before the broken one may still await its response, which must come first.
    if (latest.response.writableFinished) return write(socket, status, code);
    latest.response.once("finish", () => write(socket, status, code));
  });
  server.on("connect", (_request, stream) => {
    // Node detaches the socket here, including its error listener.
    stream.on("error", () => stream.destroy());
    write(stream as Socket, 405, "CONNECT");
  });
  server.on("checkExpectation", (_request, response) => refuse(response, { status: 417, code: "EXPECT" }));
  return refuse;
}

/** Ends a socket with a response, for a request that has no response object. */
function endRaw(
  socket: Socket,
  { status, requestId, contentType, body }: BadRequestAnswer & { readonly status: number; readonly requestId: string },
): void {
  const length = String(Buffer.byteLength(body));
  const content = ["Content-Type", contentType, "Content-Length", length];
  const headers = ["Connection", "close", ...content, ...headersOf(socket, requestId)];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

/** Returns undefined for a connection error: no client is left to answer. */
function statusOf(code: string): BadRequest["status"] | undefined {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code.startsWith("HPE_") ? 400 : undefined;
}
