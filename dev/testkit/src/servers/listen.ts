import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";

/** Answers a request, now or later. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An answer that fails is a 500, as of any server, or a broken connection: a rejection that nobody handles would fail the whole run. */
export const answering =
  (answer: Answer): RequestListener =>
  (request, response) => {
    Promise.try(answer, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  };

/** Listens on loopback, on a free port unless one is given. `stop` ends its connections too. */
export async function listen(what: Answer | Server, port = 0) {
  const server = typeof what === "function" ? createServer(answering(what)) : what;
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket.on("error", () => undefined));
    socket.once("close", () => open.delete(socket));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** The systems choose ports from 32768 for connections and servers that name none. */
const [lowest, beyond] = [10_000, 32_000];

/** Returns a free port of 127.0.0.1 that no connection takes before the caller listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, beyond);
  const server = createSocketServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
