import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface WrongWorld {
  /** What is served at `/.well-known/agent-card.json`; a 404 without it. Gets the server's own URL. */
  readonly card?: (url: string) => object;
  /** Answers everything else; a 404 without it. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Starts a server that is not the agent it is registered as, on a free port of loopback; resolves with its URL. Ends with the test. */
export async function startWrongWorld({ card, answer }: WrongWorld): Promise<string> {
  let url = "";
  const server = createServer((request, response) => {
    if (card && request.url === "/.well-known/agent-card.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(card(url)));
    } else if (answer) answer(request, response);
    else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}
