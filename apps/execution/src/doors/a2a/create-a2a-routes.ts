import type { IncomingMessage, ServerResponse } from "node:http";
import { type A2AStream, answerCall, refusedRequest } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import { ZoneError } from "@crosszone/contracts";
import {
  answerHeaders,
  correlationOfRequest,
  type EventStreamOptions,
  openEventStream,
  readBody,
  requestIdOf,
} from "@crosszone/service-kit";
import type { Asker } from "../../tasks/ask/asker.ts";
import { type AskRoutesDeps, holding } from "../ask-routes-deps.ts";
import { signalOf } from "../rpc/rpc-route.ts";
import {
  type A2aExchange,
  openProgramCall,
  rawAnswer,
  type RawAnswer,
  sendAnswer,
  sendError,
  shownError,
  versionIn,
  wantsHitl,
} from "./a2a-exchange.ts";
import { type Cards, createCards, type SignCard } from "./create-cards.ts";
import { programOperations } from "./program-operations.ts";
import type { IdentifiedEvent } from "./wire-task.ts";

/** How often an answer that is held sends a byte, milliseconds. Many proxies close a connection that is silent for a minute. */
export const holdMs = 15_000;

/**
 * Opens an answer in JSON that takes its time: after a while it sends line breaks, which JSON allows before a value.
 * https://www.rfc-editor.org/rfc/rfc8259#section-2
 */
export function openHeldAnswer(response: ServerResponse, headers: readonly string[]) {
  let timer: NodeJS.Timeout | undefined;
  const sendByte = (): void => {
    if (!response.headersSent)
      response.writeHead(200, ["content-type", "application/json", ...answerHeaders(response), ...headers]);
    response.write("\n");
  };
  response.once("close", () => clearInterval(timer));
  return {
    /** Keeps the connection open from now on. */
    hold: (): void => void (timer = setInterval(sendByte, holdMs)),
    /** Ends the answer. Its status is 200 when the answer was held. */
    end: (answered: RawAnswer): void => {
      clearInterval(timer);
      if (response.destroyed) return;
      if (response.headersSent) response.end(answered.body);
      else sendAnswer(response, answered);
    },
  };
}

/**
 * Sends events as Server-Sent Events, each when the client has taken the one before. `signal` aborts when it disconnects. Rejects when there is
 * no first event.
 */
async function sendEvents(
  response: ServerResponse,
  { events, write, fail }: A2AStream<AsyncGenerator<IdentifiedEvent, void>>,
  { headers, signal }: Pick<EventStreamOptions, "headers" | "signal">,
): Promise<void> {
  let next: IteratorResult<IdentifiedEvent, void> | undefined = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    while (next.done !== true && !signal.aborted) {
      await stream.send(`id: ${next.value.id}\ndata: ${JSON.stringify(write(next.value.event))}\n\n`);
      // Its content isn't kept while the next event is waited for.
      next = undefined;
      next = await events.next();
    }
  } catch (error) {
    if (!signal.aborted) await stream.send(`data: ${fail(error).body}\n\n`);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}

/** Reads the body of a program's request. Throws an `RpcError` for one that is not JSON or too large. */
async function readJson({ limits }: AskRoutesDeps, request: IncomingMessage, asker: Asker): Promise<Uint8Array> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const isJson = /^application\/(a2a\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
  if (!isJson || encoding.toLowerCase() !== "identity")
    throw refusedRequest(415, "the body must be application/json in UTF-8, not compressed");
  const body = await readBody(request, limits.maxBytes, asker.held);
  if (body === "no_room") throw new ZoneError("rate_limited", { retry_after_ms: 1_000 });
  if (body === "too_large") throw refusedRequest(413, `the body is larger than ${limits.maxBytes} bytes`);
  if (body === "aborted") throw refusedRequest(400, "the client disconnected");
  return body;
}

/** Answers a request of JSON-RPC to an agent. */
async function answerProgram(
  deps: AskRoutesDeps,
  exchange: A2aExchange,
  { asker, cards }: { readonly asker: Asker; readonly cards: Cards },
): Promise<void> {
  const { request, response } = exchange;
  const gone = signalOf(response);
  const lost = deps.whileGranted?.(request, response, { surface: "a2a", agent: exchange.agent });
  const signal = lost === undefined ? gone : AbortSignal.any([gone, lost]);
  const extensions = wantsHitl(exchange) ? ["a2a-extensions", hitlUri, "x-a2a-extensions", hitlUri] : [];
  const headers = ["x-correlation-id", exchange.correlationId, ...extensions];
  const { hold, end } = openHeldAnswer(response, headers);
  const card = (): Promise<object> => cards.extended(exchange, asker);
  const answered = await answerCall(
    { stated: versionIn(request), readBody: () => readJson(deps, request, asker), maxDepth: deps.limits.maxDepth },
    async (version) => programOperations(await openProgramCall(deps, exchange, { asker, version, signal, hold, card })),
    (error) => shownError(deps, exchange, lost?.aborted === true ? lost.reason : error),
  );
  if (!("events" in answered)) return end(rawAnswer(exchange, answered, extensions));
  await sendEvents(response, answered, { headers, signal: gone }).catch((error: unknown) =>
    end(rawAnswer(exchange, answered.fail(error), extensions)),
  );
}

const cardPath = ".well-known/agent-card.json";
/** `/<agent>`, `/<agent>/` and `/<agent>/.well-known/agent-card.json`. */
const form = /^\/([^/?]+)(?:\/(\.well-known\/agent-card\.json)?)?(?:\?|$)/;

/**
 * Creates the routes of A2A 1.0 and 0.3, to be mounted at `/a2a`: JSON-RPC at `/<agent>/`, and the agent's card. Passes other paths on.
 * Without `signCard` cards have no signature.
 */
export function createA2aRoutes(deps: AskRoutesDeps, signCard?: SignCard) {
  const cards = createCards(deps, signCard);

  async function answer(exchange: A2aExchange, isCard: boolean): Promise<void> {
    const { request, response } = exchange;
    const { method } = request;
    if (isCard && (method === "GET" || method === "HEAD")) await cards.answer(exchange);
    else if (!isCard && method === "POST") {
      const asker = await deps.authenticate(request, response, "a2a");
      if (asker !== undefined)
        await answerProgram(deps, exchange, { asker: holding(deps.ask, asker, response), cards });
    } else {
      const allow = isCard ? "GET" : "POST";
      throw refusedRequest(405, `send ${allow}. JSON-RPC is at POST, the agent card at GET ${cardPath}`, { allow });
    }
  }

  return async (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): Promise<void> => {
    const [, encoded = "", card] = form.exec(request.url ?? "") ?? [];
    const agent = nameOf(encoded);
    if (agent === undefined) return next();
    const correlationId = correlationOfRequest(request.headers, requestIdOf(response));
    const exchange = { request, response, agent, correlationId };
    try {
      await answer(exchange, card !== undefined);
    } catch (error) {
      sendError(deps, exchange, error);
    }
  };
}

/** Returns the name of an agent in a path; undefined for text that is no name. */
function nameOf(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return /^[^\p{Cc}/]{1,255}$/u.test(name) && name !== ".well-known" ? name : undefined;
  } catch {
    return undefined;
  }
}
export type { SignCard } from "./create-cards.ts";
