import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A fixed URL in front of a server that changes, as a load balancer has. */
export interface Door {
  readonly url: string;
  /** Forwards requests to this URL. Without one, they are answered with 503. */
  leadTo(url: string | undefined): void;
}

/** Ends with the test. */
export async function openDoor(): Promise<Door> {
  let behind: string | undefined;
  const server = createServer((incoming, response) => {
    if (behind === undefined) {
      response.writeHead(503).end();
      return;
    }
    const { method, url: path = "/", headers } = incoming;
    const going = request(new URL(path, behind), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    going.on("error", () => response.destroy());
    incoming.pipe(going);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, leadTo: (next) => (behind = next) };
}
