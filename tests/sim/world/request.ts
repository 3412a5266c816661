import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { PassThrough, Writable } from "node:stream";
import type { Socket } from "node:net";

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Hands a request to a listener as a server would; resolves with the status when the response is complete. */
export function request(
  listener: RequestListener,
  { method, path, headers, body = "" }: SimulatedRequest,
): Promise<number> {
  const socket = new PassThrough() as unknown as Socket;
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method, url: path, httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 });
  Object.assign(incoming.headers, { host: "127.0.0.1", "content-length": String(Buffer.byteLength(body)), ...headers });
  incoming.push(body);
  incoming.push(null);
  incoming.complete = true;
  const response = new ServerResponse(incoming);
  response.assignSocket(new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as Socket);
  const { promise, resolve } = Promise.withResolvers<number>();
  response.once("finish", () => resolve(response.statusCode));
  response.once("close", () => resolve(0));
  listener(incoming, response);
  return promise;
}
