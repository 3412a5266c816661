import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a platform does to a request before the container sees it. */
export type Admission =
  | { readonly refused: { readonly status: number; readonly text: string } }
  | { readonly headers: IncomingMessage["headers"]; readonly path: string };

export interface FrontEnd {
  readonly url: string;
  stop(): Promise<void>;
}

/** A platform's own front end on loopback: it admits requests, or refuses them in HTML, and passes them on to `upstream`. */
export async function startFrontEnd(
  upstream: string,
  admit: (request: IncomingMessage) => Promise<Admission>,
): Promise<FrontEnd> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = await admit(request);
    if ("refused" in admission) {
      const { status, text } = admission.refused;
      response.writeHead(status, { "content-type": "text/html", connection: "close" }).end(`<html>${text}</html>`);
      return;
    }
    const onward = send(new URL(admission.path, upstream), { method: request.method, headers: admission.headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.once("close", () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
