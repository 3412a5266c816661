import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
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
  const url = await listen((incoming, response) => {
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
  return { url, leadTo: (next) => (behind = next) };
}

/** A load balancer that forwards requests to several ports, round robin. */
interface RoundRobin {
  readonly url: string;
  readonly add: (port: number) => void;
}

/** Starts a load balancer. It answers 502 for a port that refuses connections. Ends with the test. */
export async function startRoundRobin(): Promise<RoundRobin> {
  const ports: number[] = [];
  let next = 0;
  const url = await listen((incoming, response) => {
    const port = ports[next++ % ports.length];
    const { method, url: path, headers } = incoming;
    const passed = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  return { url, add: (port) => void ports.push(port) };
}

async function listen(forward: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(forward);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
