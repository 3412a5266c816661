import type { Server } from "node:http";

/** Listens on `host`; resolves with the URL on this machine, without a slash at the end. Rejects if the port is taken. */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host }, resolve);
  await promise;
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}
