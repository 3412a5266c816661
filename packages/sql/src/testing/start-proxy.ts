import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a proxy for a server, which passes on of its answers what `pass` says. Returns its URL. Ends with the test. */
export async function startProxy(target: string, pass: () => (piece: Buffer) => Uint8Array): Promise<string> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on("error", () => undefined));
    client.pipe(server);
    const passed = pass();
    server.on("data", (piece: Buffer) => void client.write(passed(piece)));
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = proxy.address() as { readonly port: number };
  return Object.assign(new URL(target), { port: String(address.port) }).href;
}
