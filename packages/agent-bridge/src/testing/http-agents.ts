import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { answering, serve } from "@crosszone/testkit/temporary";

/** Serves HTTP, or HTTPS with `tls`, on loopback until the test ends; returns the origin. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  tls?: ServerOptions,
): Promise<string> {
  if (tls === undefined) return serve(answer);
  return (await serve(createTlsServer(tls, answering(answer)))).replace("http", "https");
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces = await request.toArray();
  return Buffer.concat(pieces as Buffer[]).toString();
}

/** A request as received by the agent. */
export interface AgentAsked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly id?: string;
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
}

export interface AnswerOfAgent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or literal text; absent for an agent that never answers. */
  readonly body?: unknown;
  readonly hang?: boolean;
}

/** Starts a real agent on loopback for one test. `answer` returns the response to the request of an index. */
export async function startAgent(answer: (asked: AgentAsked, index: number) => AnswerOfAgent | Promise<AnswerOfAgent>) {
  const asked: AgentAsked[] = [];
  const waiting: { times: number; resolve: () => void }[] = [];
  const origin = await startServer(async (request, response) => {
    // The agent has no card.
    if (request.method === "GET") {
      response.writeHead(404).end();
      return;
    }
    // A client that disconnects while sending doesn't count.
    const text = await bodyOf(request).catch(() => undefined);
    if (text === undefined) return;
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, text, body: JSON.parse(text) as never };
    asked.push(one);
    for (const { times, resolve } of waiting) if (asked.length >= times) resolve();
    give(response, await answer(one, asked.length - 1));
  });
  /** Resolves after this many requests. */
  const askedTimes = (times: number): Promise<void> =>
    new Promise((resolve) => (asked.length >= times ? resolve() : waiting.push({ times, resolve })));
  return { url: `${origin}/`, asked, askedTimes };
}

function give(response: ServerResponse, { status = 200, headers = {}, body, hang }: AnswerOfAgent): void {
  if (hang === true) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
