import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";

/** Listens on loopback, on a free port unless one is given. `stop` ends its connections too. */
export async function listen(what: RequestListener | Server, port = 0) {
  const server = typeof what === "function" ? createServer(what) : what;
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
