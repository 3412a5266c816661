import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { bracketAnswer, type AgentBody } from "../agent/bracket-answer.ts";

/** A server of the agents `newer` and `older`, which nobody kills. */
export interface ServedAgents {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Each answer takes up to so long, so that kills meet calls that are under way, milliseconds. */
const longestMs = 1_500;

export async function serveAgents(): Promise<ServedAgents> {
  let number = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // They have no cards.
    if (request.method === "GET") return void response.writeHead(404).end();
    const body = (await json(request)) as AgentBody;
    await wait(((number += 1) * 397) % longestMs);
    response.setHeader("content-type", "application/json").end(JSON.stringify(bracketAnswer(body)));
  };
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url, close: async () => void (await close(server, { deadlineMs: 100 })) };
}
