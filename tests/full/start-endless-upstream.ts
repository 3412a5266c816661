import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server whose answers never end: an agent of the older protocol at `/agent`, and a model of OpenAI's protocol at `/v1`. */
export interface EndlessUpstream {
  readonly url: string;
  /** Resolves when an endless request with the word has arrived. */
  readonly asked: (word: string) => Promise<void>;
  /** Resolves with the time when the client closed such a request, on the clock of `performance`. */
  readonly closed: (word: string) => Promise<number>;
}

/** Interval of the written text, milliseconds. */
const everyMs = 40;

/**
 * Starts the server on a free port of loopback. A word is `word-` and a number. Asked to `call late`, the model calls a tool of that name; otherwise
 * it streams text for ever. The agent never answers. Ends with the test.
 */
export async function startEndlessUpstream(): Promise<EndlessUpstream> {
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const ends = new Map<string, PromiseWithResolvers<number>>();
  const arrival = (word: string) => arrivals.getOrInsertComputed(word, () => Promise.withResolvers<void>());
  const end = (word: string) => ends.getOrInsertComputed(word, () => Promise.withResolvers<number>());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const word = body.match(/word-\d+/g)?.at(-1);
    if (word === undefined) return void response.writeHead(404).end();
    const isModel = request.url?.startsWith("/v1/") === true;
    if (isModel && body.includes(`call late ${word}`)) return callLate(response, word);
    response.once("close", () => end(word).resolve(performance.now()));
    if (isModel) writeForEver(response);
    arrival(word).resolve();
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (word) => arrival(word).promise,
    closed: (word) => end(word).promise,
  };
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

function callLate(response: ServerResponse, word: string): void {
  const call = { index: 0, id: "call", type: "function", function: { name: "late", arguments: `{"text":"${word}"}` } };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${chunk({ role: "assistant", tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`);
}

function writeForEver(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const writing = setInterval(() => response.write(chunk({ content: "and on " })), everyMs);
  response.once("close", () => clearInterval(writing));
}
