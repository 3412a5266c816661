import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Wire {
  /** Where to connect instead of the server. */
  url: string;
  /** Every byte that went over it so far, connection by connection, each direction by itself. One character a byte. */
  recorded(): string;
}

/** Stands before a server and passes every byte on, both ways, as it is. Ends with the test. */
export async function recordWire(serverUrl: string): Promise<Wire> {
  const { hostname, port } = new URL(serverUrl);
  const directions: Buffer[][] = [];
  const sockets = new Set<Socket>();

  const pass = (from: Socket, to: Socket): void => {
    const chunks: Buffer[] = [];
    directions.push(chunks);
    sockets.add(from);
    from.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      to.write(chunk);
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded: () => directions.map((chunks) => Buffer.concat(chunks).toString("latin1")).join("\n"),
  };
}
