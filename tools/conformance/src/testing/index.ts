import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";

export { createGoodAgent, createSimpleFixture, type Deviation } from "./good-agent.ts";
export { knownBad, type KnownBad } from "./known-bad.ts";

/** Serves an agent on a free port until the test ends. Returns its URL, with a slash at the end. `drops` drops a connection that is used again. */
export async function serveFixture(
  create: (url: string) => typeof globalThis.fetch,
  { drops = false }: { readonly drops?: boolean } = {},
): Promise<string> {
  const used = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (drops && used.has(request.socket)) request.socket.destroy();
    else serve(request, response).catch(() => response.destroy());
    used.add(request.socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const agent = create(url);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const { method = "GET" } = request;
    const sent = { method, headers, body: method === "POST" ? body : undefined };
    const answer = await agent(new URL(request.url ?? "/", url), sent);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
    if (answer.body) await pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
    else response.end();
  }
  return url;
}
