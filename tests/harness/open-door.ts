import { createServer, request as passOn } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An address that stays the same while what is behind it comes and goes, as a load balancer's does. */
export interface Door {
  readonly url: string;
  /** Where requests are passed on to; nowhere answers 503. */
  leadTo(url: string | undefined): void;
}

export async function openDoor(): Promise<Door> {
  let behind: string | undefined;
  const server = createServer((request, response) => {
    if (behind === undefined) {
      response.writeHead(503).end();
      return;
    }
    const { method, url = "/", headers } = request;
    const going = passOn(new URL(url, behind), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    going.on("error", () => response.destroy());
    request.pipe(going);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, leadTo: (next) => (behind = next) };
}
