import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { Router } from "express";
import type { Request, Response } from "express";
import type { Dispatcher } from "undici";
import { request as upstreamRequest } from "undici";
import { parseJson, type TrafficLog } from "../traffic/traffic-log.ts";

/** Options of the tap. */
export interface TapOptions {
  /** The target of requests, e.g. `http://127.0.0.1:4000`; without it the tap responds with 502. */
  upstream: string | undefined;
  dispatcher: Dispatcher;
  traffic: TrafficLog;
}

const RECORDED_BYTES = 1_000_000;
/** Headers of a single connection, and headers that the client library sets itself. */
const NOT_FORWARDED = new Set(
  "host connection keep-alive proxy-connection transfer-encoding te trailer upgrade expect".split(" "),
);

/**
 * `POST /tap/<path>` forwards a request to `<upstream>/<path>` and returns its response, with unchanged bytes and status, as it arrives,
 * and records both, except a poll without news. If the upstream does not respond, the tap responds with 502 and a short JSON body.
 */
export function tapRoutes(options: TapOptions): Router {
  const router = Router();
  router.post("/tap/{*path}", async (request, response) => {
    const started = Date.now();
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // The caller disconnected before its request was complete.
    const received = new Recording();
    let status = 502;
    try {
      status = await pass(request, response, { ...options, body, received });
    } catch (error) {
      const message = error instanceof Error ? error.message || error.name : String(error);
      received.add(Buffer.from(message));
      if (response.headersSent) response.destroy();
      else response.status(502).json({ error: { message: "the upstream of the tap does not respond" } });
    }
    const call = parseJson(body.toString());
    const messages = messagesOf(received.bytes());
    const answer = messages.pop();
    if (isIdlePoll(call, status, answer)) return;
    options.traffic.record({
      at: started,
      kind: "rpc",
      name: methodOf(call),
      status,
      ms: Date.now() - started,
      verdict: verdictOf(status, answer),
      request: call,
      response: answer,
      ...(messages.length > 0 && { events: messages }),
    });
  });
  return router;
}

async function pass(
  request: Request,
  response: Response,
  { upstream, dispatcher, body, received }: TapOptions & { body: Buffer; received: Recording },
): Promise<number> {
  if (upstream === undefined) throw new Error("no upstream is set");
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const answer = await upstreamRequest(upstream.replace(/\/$/, "") + request.url.slice("/tap".length), {
    method: "POST",
    headers: forwarded(request.headers),
    body,
    dispatcher,
    signal: gone.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  response.writeHead(answer.statusCode, forwarded(answer.headers));
  for await (const chunk of received.listen(answer.body)) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
  response.end();
  return answer.statusCode;
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string | string[]] => header[1] !== undefined && !NOT_FORWARDED.has(header[0]),
    ),
  );
}

/** Copies the bytes that pass through, up to a limit. */
class Recording {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    if (this.#size < RECORDED_BYTES) this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  async *listen(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.add(chunk);
      yield chunk;
    }
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Returns the messages of an event stream, the response last; of any other body, only the body. */
function messagesOf(bytes: Buffer): unknown[] {
  const events = bytes.toString().split("\n\n");
  const messages = events.flatMap((event) => (event.startsWith("data: ") ? [event.slice("data: ".length)] : []));
  return messages.length === 0 ? [parseJson(bytes.toString())] : messages.map(parseJson);
}

/** Returns true if the verification zone asked for news and there is none, or the execution zone is not up yet. It asks again at once. */
function isIdlePoll(call: unknown, status: number, answer: unknown): boolean {
  const news = newsOf.get(methodOf(call));
  if (news === undefined) return false;
  const { result } = (typeof answer === "object" && answer !== null ? answer : {}) as { readonly result?: News };
  return status === 502 || result?.[news]?.length === 0;
}

type News = Readonly<Record<string, readonly unknown[] | undefined>>;

/** The methods that wait for news, and the member of their answer that has it. */
const newsOf: ReadonlyMap<string, string> = new Map([
  ["list_input_requests", "input_requests"],
  ["list_fires", "fires"],
]);

function methodOf(call: unknown): string {
  const isNamed = typeof call === "object" && call !== null && "method" in call && typeof call.method === "string";
  return isNamed ? String(call.method) : "(not JSON-RPC)";
}

function verdictOf(status: number, answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "error" in answer && answer.error) {
    const { error } = answer;
    const code = typeof error === "object" && "code" in error ? ` ${String(error.code)}` : "";
    return `error${code}`;
  }
  return status >= 200 && status < 300 ? "result" : `refused: ${status}`;
}
