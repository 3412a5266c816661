import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TokenScope } from "@crosszone/contracts";
import {
  answer,
  answerHeaders,
  type ByteBudget,
  correlationOfRequest,
  type EventStreamOptions,
  openEventStream,
  requestIdOf,
  type Sender,
  senderOf,
  untilRefused,
} from "@crosszone/service-kit";
import type { Request, RequestHandler, Response } from "express";
import type { AnswerTo, ApiEvent, HeldContent } from "./api-part.ts";
import { problemOf, sendProblem, SharedProblem, type SharedProblemKind } from "./api-problem.ts";
import { type ApiTokens, checkScope, type TokenHolder } from "./token-holder.ts";

/** An operation of the document; empty for a request that none serves. */
export interface ApiOperation {
  readonly operationId?: string | undefined;
  /** What a token needs. */
  readonly scope?: TokenScope | undefined;
  /** Returns a body or event without its content. */
  readonly hideContent?: (value: unknown) => unknown;
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
  readonly authenticate: (request: Request) => Promise<TokenHolder>;
  /** Throws when the holder sends too many requests. */
  readonly limit: (holder: TokenHolder) => void;
  /** Limits the content of all answers, and of those to one token. */
  readonly content: ByteBudget;
  /** Called for each refused request. The response waits for it. */
  readonly onRefused: ((refusal: ApiRefusal) => unknown) | undefined;
  readonly onUse: ApiTokens["onUse"];
  /** Aborts streams. */
  readonly stopping: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds. */
  readonly heartbeatMs: number;
}

/** Returns an Express handler that sends an operation's response, or the problem that it throws. */
export function toRoute(
  rules: ServeRules,
  operation: ApiOperation,
  answerTo: AnswerTo,
): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const act = newAct(request, operation);
    const { params, correlationId, scope } = act;
    try {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const holder = await rules.authenticate(request);
      const { actor, scopes, person } = holder;
      const from: Sender = { ...act.from, name: person?.name };
      Object.assign(act, { actor, from });
      rules.onUse?.({ actor, from, surface: person === undefined ? "api" : "page" });
      rules.limit(holder);
      await person?.noteUse();
      checkScope(holder, scope);
      const shown = scopes.includes("content:read") ? undefined : operation.hideContent;
      const [{ signal }, { baseUrl }] = [gone, request];
      const content = contentOf(rules.content, actor, response);
      const asked = { request, params, baseUrl, holder, actor, correlationId, from, signal, content };
      const answered = await answerTo(asked);
      const held = async (): Promise<void> => {
        const now = await rules.authenticate(request);
        checkScope(now, scope);
        if (shown === undefined && operation.hideContent !== undefined) checkScope(now, "content:read");
      };
      const whileHeld = () => untilRefused(response, () => held().then(() => undefined, refusalIn), rules.heartbeatMs);
      if ("events" in answered) {
        const ends = AbortSignal.any([signal, rules.stopping, whileHeld()]);
        const headers = ["x-correlation-id", correlationId];
        const { heartbeatMs } = rules;
        return await sendEvents(response, answered.events(ends), { signal: ends, headers, heartbeatMs, shown });
      }
      if ("lines" in answered) {
        const headers = ["content-type", answered.contentType, "x-correlation-id", correlationId];
        response.writeHead(200, [...answerHeaders(response), ...headers]);
        if (request.method === "HEAD") return void response.end();
        const cut = whileHeld();
        const sending = pipeline(Readable.from(answered.lines), response, { signal: cut });
        return await sending.catch((error: unknown) => Promise.reject((cut.aborted ? cut.reason : error) as Error));
      }
      const { status, body, headers = {} } = answered;
      const all = Object.entries({ ...headers, "x-correlation-id": correlationId }).flat();
      if (body === undefined) response.writeHead(status, [...answerHeaders(response), ...all]).end();
      else {
        const text = JSON.stringify(shown ? shown(body) : body);
        answer(response, status, { contentType: "application/json", body: text, headers: all });
      }
    } catch (error) {
      await sendThrownProblem(response, error, { rules, act });
    }
  };
}

/** Returns what one answer holds of a budget. */
function contentOf(budget: ByteBudget, owner: string, response: Response): HeldContent {
  const held = budget.open(owner);
  response.once("close", held.close);
  const hold = async (bytes: number): Promise<void> => {
    if (await held.take(bytes)) return;
    throw new SharedProblem("busy", "Other large answers are being sent.", { headers: { "retry-after": "1" } });
  };
  return { hold, release: held.release };
}

/** Returns the act of a request before its token is checked. */
export function newAct(
  request: Request<Record<string, string>> | Request,
  { operationId, scope }: ApiOperation,
): { -readonly [Name in Exclude<keyof RefusedAct, "status">]: RefusedAct[Name] } {
  const { headers, params, res } = request;
  const correlationId = correlationOfRequest(headers, requestIdOf(res as Response));
  const from = senderOf(request);
  return { actor: "unknown", operationId, scope, params: params as Record<string, string>, correlationId, from };
}

/** Returns why a token is no longer valid. Rethrows any other error. */
function refusalIn(error: unknown): SharedProblem {
  if (error instanceof SharedProblem) return error;
  throw error;
}

const ours: ReadonlySet<string> = new Set<SharedProblemKind>(["internal", "unavailable"]);

/** Sends a thrown error as a problem and reports it. */
export async function sendThrownProblem(
  response: Response,
  error: unknown,
  { rules, act: tried }: { readonly rules: ServeRules; readonly act: ReturnType<typeof newAct> },
): Promise<void> {
  const problem = problemOf(error);
  const { kind, status, by = tried.actor } = problem;
  const { method, socket } = response.req;
  // The client disconnected, so nothing can be answered, and nothing failed.
  const isGone = response.destroyed || socket.destroyed;
  if (isGone && ours.has(kind)) return;
  const act = { ...tried, actor: by, status };
  await rules.onRefused?.({ kind, method, act, cause: ours.has(kind) ? error : undefined });
  if (isGone) return;
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem, act.correlationId);
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
