import { connect, createServer } from "node:net";
import { serve } from "@crosszone/testkit/temporary";

/** Starts a proxy for a server, which passes on of its answers what `pass` says. Returns its URL. Ends with the test. */
export async function startProxy(target: string, pass: () => (piece: Buffer) => Uint8Array): Promise<string> {
  const { hostname, port } = new URL(target);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname).on("error", () => undefined);
    client.pipe(server);
    const passed = pass();
    server.on("data", (piece: Buffer) => void client.write(passed(piece)));
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  });
  return Object.assign(new URL(target), { port: new URL(await serve(proxy)).port }).href;
}
