import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** A request that never reached the listener, because HTTP itself was broken or too slow. */
export interface BadRequest {
  readonly status: 400 | 405 | 408 | 413 | 417 | 431;
  /** The code of the parser, such as `HPE_INVALID_METHOD`; for the log. */
  readonly code: string;
  /** A fixed sentence that may be shown to the client. */
  readonly reason: string;
}

export interface BadRequestAnswer {
  readonly contentType: string;
  readonly body: string;
}

/** How long a refused client may go on sending before it is cut: a reset at once could destroy the answer on its way. */
const lingerMs = 500;

const reasons: Readonly<Record<BadRequest["status"], string>> = {
  400: "the request is not valid HTTP/1.1",
  405: "the method is not supported",
  408: "the request took too long to arrive",
  413: "the chunk extensions of the request are too large",
  417: "the expectation is not supported",
  431: "the header of the request is too large",
};

/** Answers what Node would answer without a body, or not at all, with a body of the app's own kind. */
export function answerBadRequests(
  server: Server,
  connections: Connections,
  onBadRequest: (error: BadRequest) => BadRequestAnswer,
): { readonly refuse: (response: ServerResponse, refusal: Pick<BadRequest, "status" | "code">) => void } {
  const answer = (status: BadRequest["status"], code: string): BadRequestAnswer => {
    const reason = reasons[status];
    try {
      return onBadRequest({ status, code, reason });
    } catch {
      return { contentType: "text/plain; charset=utf-8", body: reason };
    }
  };
  const refuse = (response: ServerResponse, { status, code }: Pick<BadRequest, "status" | "code">): void => {
    const { contentType, body } = answer(status, code);
    const headers = { connection: "close", "content-type": contentType, "content-length": Buffer.byteLength(body) };
    response.writeHead(status, headers).end(body);
  };
  const write = (socket: Socket, status: BadRequest["status"], code: string): void => {
    if (!socket.writable) return void socket.destroy();
    const { contentType, body } = answer(status, code);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Connection: close",
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    if (status === 408) return socket.destroySoon();
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(cut));
  };

  const refused = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // The parser complains again about each chunk that a refused client goes on sending.
    if (refused.has(socket)) return;
    refused.add(socket);
    const code = error.code ?? "UNKNOWN";
    const status = statusOf(code);
    if (status === undefined) return void socket.destroy();
    const latest = connections.latest(socket);
    if (latest === undefined) return write(socket, status, code);
    if (!latest.request.complete) {
      // The broken request is the latest one: too late for another answer once the first has begun.
      if (latest.response.headersSent) return void socket.destroy();
      return write(socket, status, code);
    }
    // A whole request before the broken one may still be waiting for its answer: that one goes first.
    if (latest.response.writableFinished) return write(socket, status, code);
    latest.response.once("finish", () => write(socket, status, code));
  });
  server.on("connect", (_request, stream) => {
    // Node lets go of the socket here, its error listener included.
    stream.on("error", () => stream.destroy());
    write(stream as Socket, 405, "CONNECT");
  });
  server.on("checkExpectation", (_request, response) => refuse(response, { status: 417, code: "EXPECT" }));
  return { refuse };
}

/** Nothing for an error of the connection itself: nobody is there to read an answer. */
function statusOf(code: string): BadRequest["status"] | undefined {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code.startsWith("HPE_") ? 400 : undefined;
}
