import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TokenScope } from "@crosszone/contracts";
import type { ApiBody } from "@crosszone/contracts/openapi";
import {
  answer,
  answerHeaders,
  type BodyRules,
  type ByteBudget,
  type EventStreamOptions,
  type Exchange,
  openEventStream,
  type Sender,
  type Shares,
  type StrangerLimit,
  surface,
} from "@crosszone/service-kit";
import type { Request } from "express";
import type { AnswerTo, ApiEvent, HeldContent, MayUse } from "./api-part.ts";
import { problemRefusal, refuseProblem, ApiProblem, writeProblem } from "./api-problem.ts";
import { type ApiTokens, lacksScope, type TokenHolder } from "./token-holder.ts";

/** An operation of the document; empty for a request that none serves. */
export interface ApiOperation {
  readonly operationId?: string | undefined;
  /** What a token needs. */
  readonly scope?: TokenScope | undefined;
  /** Returns a body or event without its content. */
  readonly hideContent?: (value: unknown) => unknown;
  readonly requestBody?: ApiBody | undefined;
}

interface RefusedAct {
  /** The actor of the token, also of one that is no longer valid; `unknown` without one. */
  readonly actor: string;
  readonly operationId: string | undefined;
  readonly scope: TokenScope | undefined;
  readonly status: number;
  /** The values of the path's parameters: what the act is about. */
  readonly params: Readonly<Record<string, string>>;
  readonly correlationId: string;
  readonly from: Sender;
}

/** A refused request, for the log. */
export interface ApiRefusal {
  /** A kind of `sharedProblems`, or of a part's own table. */
  readonly kind: string;
  readonly method: string;
  /** The internal cause, if the failure is not the sender's fault. */
  readonly cause?: unknown;
  readonly act: RefusedAct;
}

export interface ServeRules {
  /** Returns the holder of the request's token, or throws. */
  readonly authenticate: (request: IncomingMessage) => Promise<TokenHolder>;
  /** Limits requests whose token or session was not accepted yet. */
  readonly strangers: StrangerLimit;
  /** Takes one request of an actor. Returns 0, or the time to wait, milliseconds. */
  readonly limit: (actor: string) => number;
  /** Streams that are open, and whose they are. */
  readonly streams: Shares;
  /** Limits the content of all answers, and of those to one token. */
  readonly content: ByteBudget;
  /** Limits the bodies that have not arrived whole. */
  readonly arriving: ByteBudget;
  /** Called for each refused request. The response waits for it. */
  readonly onRefused: ((refusal: ApiRefusal) => unknown) | undefined;
  readonly onUse: ApiTokens["onUse"];
  /** Whether a token or a person may use an agent, a workflow or an event. When absent, nothing limits them. */
  readonly mayUse?: ((holder: TokenHolder, ...asked: Parameters<MayUse>) => boolean) | undefined;
  /** Aborts streams. */
  readonly stopping: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds. */
  readonly heartbeatMs: number;
}

/** Returns a handler that sends an operation's response, or the problem that it throws. */
export function toRoute(rules: ServeRules, operation: ApiOperation, answerTo: AnswerTo) {
  const { operationId, hideContent, scope, requestBody } = operation;
  const readsContent = ({ scopes }: TokenHolder): boolean => scopes.includes("content:read");
  return surface<TokenHolder>({
    strangers: rules.strangers,
    auth: async ({ request }) => ({ who: await rules.authenticate(request) }),
    body: requestBody && ((exchange) => bodyRules(requestBody, exchange, rules.arriving)),
    onUse: (holder, { from }) => {
      const { actor, person } = holder;
      rules.onUse?.({ actor, from: named(from, holder), surface: person === undefined ? "api" : "page" });
    },
    limit: ({ actor }) => rules.limit(actor),
    refuse: refuseProblem,
    may: (holder) => lacksScope(holder, scope),
    mayStill: (holder, { about }) =>
      lacksScope(holder, scope) ?? (about === content ? lacksScope(holder, content) : undefined),
    serve: async (exchange, { who: holder, body }) => {
      const isShown = hideContent === undefined || readsContent(holder);
      if (hideContent !== undefined && isShown) exchange.about = content;
      await holder.person?.noteUse();
      await send(exchange, { rules, holder, body, answerTo, shown: isShown ? undefined : hideContent });
    },
    refusalOf: problemRefusal,
    write: writeProblem,
    onRefused: ({ kind, status, by, cause }, { request, correlationId, from }, holder) => {
      const { params, method } = request as Request<Record<string, string>>;
      const who = { actor: by ?? holder?.actor ?? "unknown", from: holder === undefined ? from : named(from, holder) };
      const act = { ...who, operationId, scope, params, correlationId, status };
      return rules.onRefused?.({ kind, method, act, cause });
    },
    recheckMs: rules.heartbeatMs,
  });
}

/** Returns what the document says of a body; undefined for a request that may have none and has none. */
function bodyRules(
  { required = false, content = {}, "x-max-bytes": maxBytes = 65_536 }: ApiBody,
  { request: { headers, method }, from }: Exchange,
  arriving: ByteBudget,
): BodyRules | undefined {
  const isEmpty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  if (isEmpty && !required) return undefined;
  const types = Object.keys(content);
  const accept = { [method === "PATCH" ? "accept-patch" : "accept-post"]: types.join(", ") };
  return { maxBytes, types, accept, held: arriving.open(from.address) };
}

/** The scope that members with content need. */
const content = "content:read";

const named = (from: Sender, { person }: TokenHolder): Sender => ({ ...from, name: person?.name });

/** Sends what an operation answers. */
async function send(
  exchange: Exchange,
  {
    rules,
    holder,
    body: given,
    answerTo,
    shown,
  }: {
    readonly rules: ServeRules;
    readonly holder: TokenHolder;
    readonly body: Buffer;
    readonly answerTo: AnswerTo;
    readonly shown: ApiOperation["hideContent"];
  },
): Promise<void> {
  const { response, correlationId } = exchange;
  const { actor } = holder;
  const request = exchange.request as Request<Record<string, string>>;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, exchange.signal]);
  const answered = await answerTo({
    request,
    params: request.params,
    baseUrl: request.baseUrl,
    body: given,
    holder,
    actor,
    correlationId,
    from: named(exchange.from, holder),
    signal,
    mayUse: rules.mayUse && ((...asked) => rules.mayUse?.(holder, ...asked) === true),
    content: contentOf(rules.content, actor, response),
  });
  const ids = ["x-correlation-id", correlationId];
  if ("events" in answered) {
    const release = rules.streams.take(actor);
    if (release === undefined) throw new ApiProblem("busy", "Close other streams of this token first.");
    response.once("close", release);
    const ends = AbortSignal.any([signal, rules.stopping]);
    const { heartbeatMs } = rules;
    return sendEvents(response, answered.events(ends), { signal: ends, headers: ids, heartbeatMs, shown });
  }
  if ("lines" in answered) return sendLines(exchange, answered);
  const { status, body, headers = {} } = answered;
  const all = [...Object.entries(headers).flat(), ...ids];
  if (body === undefined) response.writeHead(status, [...answerHeaders(response), ...all]).end();
  else {
    const text = JSON.stringify(shown ? shown(body) : body);
    answer(response, status, { contentType: "application/json", body: text, headers: all });
  }
}

/** Sends a long text, as long as its reader may have it. */
export async function sendLines(
  { request, response, correlationId, signal }: Exchange,
  { lines, contentType }: { readonly lines: AsyncIterable<string>; readonly contentType: string },
): Promise<void> {
  const headers = ["content-type", contentType, "x-correlation-id", correlationId];
  response.writeHead(200, [...answerHeaders(response), ...headers]);
  if (request.method === "HEAD") response.end();
  else
    await pipeline(Readable.from(lines), response, { signal }).catch((error: unknown) => {
      throw signal.reason instanceof Error ? signal.reason : error;
    });
}

/** Returns what one answer holds of a budget. */
function contentOf(budget: ByteBudget, owner: string, response: ServerResponse): HeldContent {
  const held = budget.open(owner);
  response.once("close", held.close);
  const hold = async (bytes: number): Promise<void> => {
    if (await held.take(bytes)) return;
    throw new ApiProblem("busy", "Other large answers are being sent.", { headers: { "retry-after": "1" } });
  };
  return { hold, release: held.release };
}

/** Reconnect delay of a disconnected client, milliseconds. */
const retryMs = 1_000;

/**
 * Sends events as they arrive: https://html.spec.whatwg.org/multipage/server-sent-events.html. Fetches no more until the client has read
 * what was sent, so a slow client costs one batch of memory; the HTTP server disconnects one that reads nothing. Throws when the source
 * fails after the first event, because the status is already sent. The caller then cuts the connection, and the client reconnects.
 */
async function sendEvents(
  response: ServerResponse,
  batches: AsyncIterable<readonly ApiEvent[]>,
  { shown, ...options }: EventStreamOptions & { readonly shown: ApiOperation["hideContent"] },
): Promise<void> {
  const stream = openEventStream(response, options);
  try {
    if (response.req.method !== "HEAD") {
      await stream.send(`retry: ${retryMs}\n\n`);
      for await (const batch of batches) {
        if (options.signal.aborted) break;
        const sent = shown ? batch.map((event) => ({ ...event, data: shown(event.data) })) : batch;
        await stream.send(sent.map(textOf).join(""));
      }
    }
  } finally {
    stream.stop();
  }
  response.end();
}

/** JSON has no line breaks, so the data is one line. */
function textOf({ event, data, id }: ApiEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
