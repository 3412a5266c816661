import { readdir, readFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export type Wire = Awaited<ReturnType<typeof recordWire>>;

/** Starts a proxy that forwards and records every byte in both directions. Ends with the test. */
export async function recordWire(serverUrl: string) {
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
    /** Returns all bytes so far, by connection and direction, one character a byte. */
    recorded: () => directions.map((chunks) => Buffer.concat(chunks).toString("latin1")).join("\n"),
  };
}

/** Returns all bytes of all files in a folder as text. A database's log still has rows that were deleted. */
export async function readFolder(folder: string): Promise<string> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = files.map(async ({ name }) => (await readFile(join(folder, name))).toString("latin1"));
  return (await Promise.all(texts)).join("\n");
}

/** Wraps a port and the ports in it. Adds the arguments and results of its methods to `calls`, as JSON. */
export function recordCalls<Port extends object>(port: Port, calls: unknown[]): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === "object" && member !== null) return recordCalls(member, calls);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        const record = (result: unknown): void =>
          void calls.push(JSON.parse(JSON.stringify({ method: String(name), given, result })));
        const result: unknown = member.apply(target, given);
        if (result instanceof Promise) return result.then((value: unknown) => (record(value), value));
        record(result);
        return result;
      };
    },
  });
}
