import { connect, type Socket } from "node:net";

export interface RawConnection {
  readonly socket: Socket;
  /** What came so far. */
  text(): string;
  /** All that came, once the connection is closed. */
  readonly closed: Promise<string>;
}

/** A connection of which nobody knows what goes over it. Errors of it are nobody's fault. */
export function rawConnect(url: string, bytes: string | Buffer = ""): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
  socket.on("error", () => undefined);
  // The other side has said all that it will say.
  socket.on("end", () => socket.end());
  if (bytes.length > 0) socket.write(bytes);
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  socket.on("close", () => resolve(text));
  return { socket, text: () => text, closed };
}

/** The status of each answer in what came. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
