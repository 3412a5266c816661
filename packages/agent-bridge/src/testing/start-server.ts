import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Serves HTTP, or HTTPS with `tls`, on loopback until the test ends; returns the port. */
export function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  tls?: ServerOptions,
): Promise<number> {
  const listener: RequestListener = (request, response) => void answer(request, response);
  return listening(tls === undefined ? createServer(listener) : createTlsServer(tls, listener));
}

/** Passes every TCP connection to `listener`; returns the port. */
export function startTcpServer(listener: (socket: Socket) => void): Promise<number> {
  return listening(createTcpServer(listener));
}

async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket.on("error", () => undefined));
    socket.once("close", () => open.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Returns the body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces = await request.toArray();
  return Buffer.concat(pieces as Buffer[]).toString();
}
