import type { IncomingMessage } from "node:http";
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
import { answerHeaders } from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { ZoneError } from "@crosszone/contracts";
import type { Asker } from "../../ask/asker.ts";
import { type AskRoutesDeps, holding, readHeldBody } from "../ask-routes-deps.ts";
import { signalOf } from "../rpc-route.ts";
import { type A2aExchange, agentFor, errorAnswer, refused, versionIn } from "./a2a-exchange.ts";
import { type CallContext, readEventId } from "./call-context.ts";
import { callOperation, type Outcome } from "./call-operation.ts";
import type { Cards } from "./create-cards.ts";
import { openHeldAnswer, sendEvents } from "./held-answer.ts";
import type { IdentifiedEvent } from "./stream-task.ts";

/** Creates what answers requests of JSON-RPC to an agent. */
export function createRpcAnswer(deps: AskRoutesDeps, cards: Cards) {
  return async (exchange: A2aExchange): Promise<void> => {
    const { request, response } = exchange;
    const asker = await deps.authenticate(request, response, "a2a");
    if (asker !== undefined) await answerCall(deps, exchange, { asker: holding(deps.ask, asker, response), cards });
  };
}

async function readJson(
  { limits }: AskRoutesDeps,
  request: IncomingMessage,
  asker: Asker,
): Promise<Uint8Array | undefined> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const isJson = /^application\/(a2a\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
  if (!isJson || encoding.toLowerCase() !== "identity")
    throw refused(415, "the body must be application/json in UTF-8, not compressed");
  const body = await readHeldBody(request, asker, limits.maxBytes);
  if (body === "too_large") throw refused(413, `the body is larger than ${limits.maxBytes} bytes`);
  return body === "aborted" ? undefined : body;
}

interface Call {
  readonly asker: Asker;
  readonly cards: Cards;
}

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
  call: Call & Pick<CallContext, "signal"> & { readonly known: { id: RpcId }; readonly hold: () => void },
): Promise<Outcome | "aborted" | "notified"> {
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
  { asker, version, signal, cards }: Call & Pick<CallContext, "version" | "signal">,
): Promise<CallContext> {
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
