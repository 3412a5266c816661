import type { IncomingMessage, ServerResponse } from "node:http";
import {
  findOperation,
  idOf,
  isNotification,
  parseJson,
  readRequest,
  type RpcId,
  type StreamEvent,
  versionOf,
} from "@crosszone/a2a";
import { hitlUri, hopsHeader } from "@crosszone/agent-bridge";
import { ZoneError } from "@crosszone/contracts";
import { answerHeaders, correlationOfRequest, openEventStream, requestIdOf } from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { Asker } from "../../tasks/ask/asker.ts";
import { type AskRoutesDeps, holding, readHeldBody } from "../ask-routes-deps.ts";
import { signalOf } from "../rpc/rpc-route.ts";
import {
  type A2aExchange,
  agentFor,
  sendAnswer,
  type ProgramCall,
  type ErrorAnswer,
  errorAnswer,
  readEventId,
  refusedRequest,
  versionIn,
} from "./a2a-exchange.ts";
import { callOperation, type OperationOutcome } from "./call-operation.ts";
import { type Cards, createCards, type SignCard } from "./create-cards.ts";
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
    end: (answered: ErrorAnswer): void => {
      clearInterval(timer);
      if (response.destroyed) return;
      if (response.headersSent) response.end(answered.body);
      else sendAnswer(response, answered);
    },
  };
}

/** Sends events as Server-Sent Events, each when the client has taken the one before. Rejects when there is no first event. */
async function sendEvents(
  response: ServerResponse,
  events: AsyncGenerator<IdentifiedEvent, void>,
  {
    headers,
    signal,
    write,
    fail,
  }: {
    readonly headers: readonly string[];
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal;
    readonly write: (event: StreamEvent) => string;
    /** Returns the JSON-RPC response for an error in the stream. */
    readonly fail: (error: unknown) => string;
  },
): Promise<void> {
  let next: IteratorResult<IdentifiedEvent, void> | undefined = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    while (next.done !== true && !signal.aborted) {
      await stream.send(`id: ${next.value.id}\ndata: ${write(next.value.event)}\n\n`);
      // Its content isn't kept while the next event is waited for.
      next = undefined;
      next = await events.next();
    }
  } catch (error) {
    if (!signal.aborted) await stream.send(`data: ${fail(error)}\n\n`);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}

async function readJson(
  { limits }: AskRoutesDeps,
  request: IncomingMessage,
  asker: Asker,
): Promise<Uint8Array | undefined> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const isJson = /^application\/(a2a\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
  if (!isJson || encoding.toLowerCase() !== "identity")
    throw refusedRequest(415, "the body must be application/json in UTF-8, not compressed");
  const body = await readHeldBody(request, asker, limits.maxBytes);
  if (body === "too_large") throw refusedRequest(413, `the body is larger than ${limits.maxBytes} bytes`);
  return body === "aborted" ? undefined : body;
}

interface Call {
  readonly asker: Asker;
  readonly cards: Cards;
}

/** Answers a request of JSON-RPC to an agent. */
async function answerCall(deps: AskRoutesDeps, exchange: A2aExchange, call: Call): Promise<void> {
  const { request, response, correlationId } = exchange;
  const signal = signalOf(response);
  const lost = deps.whileGranted?.(request, response, { surface: "a2a", agent: exchange.agent });
  const over = AbortSignal.any(lost === undefined ? [signal] : [signal, lost]);
  const headers = headersOf(exchange);
  const held = openHeldAnswer(response, headers);
  // The response to a failure has it as well, as soon as it is known.
  const known: { id: RpcId } = { id: null };
  try {
    const outcome = await outcomeOf(deps, exchange, { ...call, signal: over, known, hold: held.hold });
    if (outcome === "aborted") return;
    if (outcome === "notified")
      return void response.writeHead(204, [...answerHeaders(response), "x-correlation-id", correlationId]).end();
    lost?.throwIfAborted();
    const { id } = known;
    if ("result" in outcome) return held.end({ status: 200, body: resultOf(id, outcome.result), headers });
    const { writeEvent } = versionOf(versionIn(request));
    const write = (event: StreamEvent): string => resultOf(id, writeEvent(event));
    const fail = (error: unknown): string => errorAnswer(deps, exchange, { error, id }).body;
    await sendEvents(response, whileHeld(outcome.events, lost), { headers, signal, write, fail });
  } catch (cause) {
    const error: unknown = lost?.aborted === true ? lost.reason : cause;
    if (!response.destroyed) held.end(errorAnswer(deps, exchange, { error, ...known }));
  }
}

/** Yields the events. Throws when the program may no longer see them. */
async function* whileHeld(
  events: AsyncGenerator<IdentifiedEvent, void>,
  lost: AbortSignal | undefined,
): AsyncGenerator<IdentifiedEvent, void> {
  for await (const event of events) {
    lost?.throwIfAborted();
    yield event;
  }
  lost?.throwIfAborted();
}

/** Reads a call and makes it. The body is not kept while a stream is open. */
async function outcomeOf(
  deps: AskRoutesDeps,
  exchange: A2aExchange,
  call: Call & { readonly signal: AbortSignal; readonly known: { id: RpcId }; readonly hold: () => void },
): Promise<OperationOutcome | "aborted" | "notified"> {
  const { request } = exchange;
  const body = await readJson(deps, request, call.asker);
  if (body === undefined) return "aborted";
  const value = parseJson(body, deps.limits.maxDepth);
  if (isNotification(value)) return "notified";
  call.known.id = idOf(value);
  const version = versionOf(versionIn(request));
  const context = await contextOf(deps, exchange, { ...call, version });
  const rpc = readRequest(value);
  if (findOperation(version, rpc.method) === "send") call.hold();
  return callOperation(rpc, context);
}

const resultOf = (id: RpcId, result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });

async function contextOf(
  deps: AskRoutesDeps,
  exchange: A2aExchange,
  { asker, version, signal, cards }: Call & { readonly version: ProgramCall["version"]; readonly signal: AbortSignal },
): Promise<ProgramCall> {
  const { ask, pageKey } = deps;
  const { request, agent: name, correlationId } = exchange;
  const { headers } = request;
  const agent = await agentFor(deps, asker, name);
  return {
    ask,
    agent,
    version,
    signal,
    request: { asker, surface: "a2a", correlationId, traceparent: readTraceparent(headers["traceparent"]) },
    card: () => cards.extended(exchange, asker),
    find: async (taskId) => {
      const task = await ask.find(asker, taskId);
      if (task.agent !== agent.name) throw new ZoneError("task_not_found", { task_id: taskId });
      return task;
    },
    pageKey,
    key: textOf(headers["idempotency-key"]),
    hops: hopsOf(headers[hopsHeader]),
    hitl: wantsHitl(exchange),
    lastEvent: readEventId(textOf(headers["last-event-id"])),
  };
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" && header !== "" ? header : undefined;

const hopsOf = (header: string | readonly string[] | undefined): number =>
  typeof header === "string" && /^\d{1,4}$/.test(header) ? Number(header) : 0;

/** 0.3 has another name for the header of extensions. */
const wantsHitl = ({ request: { headers } }: A2aExchange): boolean =>
  [headers["a2a-extensions"], headers["x-a2a-extensions"]].some((list) =>
    String(list ?? "")
      .split(",")
      .some((uri) => uri.trim() === hitlUri),
  );

const headersOf = (exchange: A2aExchange): readonly string[] => [
  "x-correlation-id",
  exchange.correlationId,
  ...(wantsHitl(exchange) ? ["a2a-extensions", hitlUri, "x-a2a-extensions", hitlUri] : []),
];

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
      if (asker !== undefined) await answerCall(deps, exchange, { asker: holding(deps.ask, asker, response), cards });
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
      const answered = errorAnswer(deps, exchange, { error });
      if (response.headersSent) response.destroy();
      else sendAnswer(response, answered);
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
