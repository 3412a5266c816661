import { createServer, type IncomingMessage, request as passOn, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A load balancer: passes each request on to one of several ports, in turn. */
interface Turns {
  readonly url: string;
  readonly add: (port: number) => void;
}

/** Ends with the test. A port where nobody listens is answered with 502. */
export async function startTurns(): Promise<Turns> {
  const ports: number[] = [];
  let turn = 0;

  function passOn(asked: IncomingMessage, answer: ServerResponse): void {
    const port = ports[turn++ % ports.length];
    const { method, url, headers } = asked;
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  }

  const server = createServer(passOn);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, add: (port) => void ports.push(port) };
}

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
