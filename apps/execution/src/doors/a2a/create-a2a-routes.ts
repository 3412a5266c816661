import type { IncomingMessage, ServerResponse } from "node:http";
import { type A2AAnswer, type A2AStream, answerCall } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import {
  answer,
  answerHeaders,
  type Exchange,
  openEventStream,
  readRequestBody,
  surface,
} from "@crosszone/service-kit";
import type { Asker } from "../../tasks/ask/asker.ts";
import { type AskRoutesDeps, holding, lostRight } from "../ask-routes-deps.ts";
import { shownError, versionIn, writeA2aRefusal } from "./a2a-errors.ts";
import { type Cards, createCards, type SignCard } from "./create-cards.ts";
import { openProgramCall, wantsHitl } from "./program-call.ts";
import { programOperations } from "./program-operations.ts";
import type { IdentifiedEvent } from "./wire-task.ts";

/** An answer as Node takes it. */
interface RawAnswer {
  readonly status: number;
  /** Empty for a notification. */
  readonly body: string;
  readonly headers: readonly string[];
}

function rawAnswer(
  { request, correlationId }: Exchange,
  { status, body = "", headers }: A2AAnswer,
  more: readonly string[] = [],
): RawAnswer {
  // An unread body would be parsed as the next request.
  const all = { ...headers, ...(!request.complete && { connection: "close" }), "x-correlation-id": correlationId };
  return { status, body, headers: [...Object.entries(all).flat(), ...more] };
}

function sendAnswer(response: ServerResponse, { status, body, headers }: RawAnswer): void {
  if (body === "") response.writeHead(status, [...answerHeaders(response), ...headers]).end();
  else answer(response, status, { contentType: "application/json", body, headers });
}

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
  exchange: Exchange,
  { events, write, fail }: A2AStream<AsyncGenerator<IdentifiedEvent, void>>,
  headers: readonly string[],
): Promise<void> {
  const { response, signal } = exchange;
  let next: IteratorResult<IdentifiedEvent, void> | undefined = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    while (next.done !== true && (!signal.aborted || exchange.lost !== undefined)) {
      await stream.send(`id: ${next.value.id}\ndata: ${JSON.stringify(write(next.value.event))}\n\n`);
      // Its content isn't kept while the next event is waited for.
      next = undefined;
      next = await events.next();
    }
  } catch (error) {
    const last = `data: ${fail(error).body}\n\n`;
    // Whoever lost the right learns why.
    if (exchange.lost !== undefined) response.write(last);
    else if (!signal.aborted) await stream.send(last);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}

const types = ["application/json", "application/a2a+json"];

/** Answers a request of JSON-RPC to an agent. */
async function answerProgram(
  deps: AskRoutesDeps,
  exchange: Exchange,
  { asker, cards }: { readonly asker: Asker; readonly cards: Cards },
): Promise<void> {
  const { request, response, signal } = exchange;
  const { maxBytes, maxDepth } = deps.limits;
  const { held } = asker;
  const extensions = wantsHitl(exchange) ? ["a2a-extensions", hitlUri, "x-a2a-extensions", hitlUri] : [];
  const headers = ["x-correlation-id", exchange.correlationId, ...extensions];
  const { hold, end } = openHeldAnswer(response, headers);
  const card = (): Promise<object> => cards.extended(exchange, asker);
  const answered = await answerCall(
    { stated: versionIn(request), readBody: () => readRequestBody(request, { maxBytes, types, held }), maxDepth },
    async (version) => programOperations(await openProgramCall(deps, exchange, { asker, version, signal, hold, card })),
    (error) => shownError(deps, exchange, lostRight(exchange) ?? error),
  );
  if (!("events" in answered)) return end(rawAnswer(exchange, answered, extensions));
  await sendEvents(exchange, answered, headers).catch((error: unknown) =>
    end(rawAnswer(exchange, answered.fail(error), extensions)),
  );
}

/** A card that can't be shown is reported where its error is read. */
const unshown = "card";
/** `/<agent>`, `/<agent>/` and `/<agent>/.well-known/agent-card.json`. */
const form = /^\/([^/?]+)(?:\/(\.well-known\/agent-card\.json)?)?(?:\?|$)/;

/**
 * Creates the routes of A2A 1.0 and 0.3, to be mounted at `/a2a`: JSON-RPC at `/<agent>/`, and the agent's card. Passes other paths on.
 * Without `signCard` cards have no signature.
 */
export function createA2aRoutes(deps: AskRoutesDeps, signCard?: SignCard) {
  const cards = createCards(deps, signCard);
  const program = { ...deps.door("a2a"), write: writeA2aRefusal };
  const call = surface<Asker>({
    ...program,
    methods: ["POST"],
    serve: (exchange, { who }) => {
      exchange.about = agentIn(exchange.request);
      return answerProgram(deps, exchange, { asker: holding(deps.ask, who, exchange.response), cards });
    },
  });
  // Everyone can read the public card; a program that may ask the agent reads the whole one.
  const card = surface<Asker | undefined>({
    ...program,
    methods: ["GET", "HEAD"],
    auth: (exchange) =>
      exchange.request.headers.authorization === undefined ? { who: undefined } : program.auth(exchange),
    onUse: (who, exchange) => who && program.onUse?.(who, exchange),
    limit: (who, exchange) => (who && program.limit?.(who, exchange)) ?? 0,
    mayStill: () => undefined,
    onRefused: (refused, exchange, who) =>
      refused.kind === unshown ? undefined : program.onRefused?.(refused, exchange, who),
    refusalOf: (cause, exchange) => {
      const { reason, details, message } = shownError(deps, exchange, cause);
      const { status = reason === "TASK_NOT_FOUND" ? 404 : 500, headers } = details;
      return { kind: unshown, status, message, headers, cause };
    },
    serve: (exchange, { who }) => {
      exchange.about = agentIn(exchange.request);
      return cards.answer(exchange, who);
    },
  });
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    if (agentIn(request) === undefined) return next();
    return (isCard(request) ? card : call)(request, response, next);
  };
}

const isCard = ({ url = "" }: IncomingMessage): boolean => form.exec(url)?.[2] !== undefined;
const agentIn = ({ url = "" }: IncomingMessage): string | undefined => nameOf(form.exec(url)?.[1] ?? "");

/** Returns the name of an agent in a path; undefined for text that is no name. */
function nameOf(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return /^[^\p{Cc}/]{1,255}$/u.test(name) && name !== ".well-known" ? name : undefined;
  } catch {
    return undefined;
  }
}
