import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen, serveCommands } from "../kit/commands.ts";
import { answerOf } from "./dialects.ts";

/** The process of all agents. Its server does as little as an agent can: it reads the JSON and answers in the protocol. */
const server = createServer((request, response) => {
  if (request.method === "POST") void answer(request, response);
  else response.writeHead(404).end();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, protocol = "", delay = ""] = request.url?.split("/") ?? [];
  const chunks = (await request.toArray()) as Buffer[];
  const body = answerOf(protocol, JSON.parse(Buffer.concat(chunks).toString()));
  const send = (): void => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
  if (delay === "0") send();
  else setTimeout(send, Number(delay));
}

serveCommands({ listen: () => listen(server) });
