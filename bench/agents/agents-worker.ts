import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen, serveCommands } from "../kit/commands.ts";
import { answerOf } from "./dialects.ts";

/** The process of all agents. Its server does as little as an agent can: it reads the JSON and answers in the protocol. */
const waiting = new Set<() => void>();
let areHeld = true;

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
  else if (delay !== "held") setTimeout(send, Number(delay));
  else if (areHeld) waiting.add(send);
  else send();
}

serveCommands({
  listen: () => listen(server),
  /** From now on, held agents do not answer. */
  hold: () => {
    areHeld = true;
  },
  /** Suspended agents answer all waiting tasks, and later ones immediately. */
  release: () => {
    areHeld = false;
    for (const send of waiting) send();
    waiting.clear();
  },
});
