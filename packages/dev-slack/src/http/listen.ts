import type { Server } from "node:http";

/** Listens on 127.0.0.1; resolves with the URL, without a slash at the end. Rejects if the port is taken. */
export async function listen(server: Server, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host: "127.0.0.1" }, resolve);
  await promise;
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}
