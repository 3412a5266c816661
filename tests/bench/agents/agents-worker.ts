import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCommands } from "../process/serve-commands.ts";
import { answerOf } from "./dialects.ts";

/** The process of all agents. Its server does as little as an agent can: it reads the JSON, and answers in the protocol. */
const holding = new Set<() => void>();
let isHeld = true;

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 65_000;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, protocol = "", wait = ""] = request.url?.split("/") ?? [];
  const chunks = (await request.toArray()) as Buffer[];
  const body = answerOf(protocol, JSON.parse(Buffer.concat(chunks).toString()));
  const send = (): void => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
  if (wait === "0") send();
  else if (wait !== "held") setTimeout(send, Number(wait));
  else if (isHeld) holding.add(send);
  else send();
}

serveCommands({
  listen: async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  /** Has agents that hold their answers wait with them. */
  hold: () => {
    isHeld = true;
  },
  /** Lets them answer, from now on at once. */
  letGo: () => {
    isHeld = false;
    for (const send of holding) send();
    holding.clear();
  },
});
