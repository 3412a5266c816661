import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  answer,
  answerHeaders,
  correlationOfRequest,
  openEventStream,
  requestIdOf,
  type EventStreamOptions,
} from "@crosszone/service-kit";
import type { Request, RequestHandler, Response } from "express";
import type { AnswerTo, ApiEvent } from "./api-part.ts";
import { problemOf, sendProblem, type SharedProblemKind } from "./api-problem.ts";

/** A refused request, for the log. */
export interface ApiRefusal {
  /** A kind of `sharedProblems`, or of a part's own table. */
  readonly kind: string;
  readonly method: string;
  readonly correlationId: string;
  /** The internal cause, if the failure is not the sender's fault. */
  readonly cause?: unknown;
}

export type OnRefused = (refusal: ApiRefusal) => void;

/** Settings that apply to every request. */
export interface ServeRules {
  /** Returns the actor, or throws. */
  readonly authenticate: (request: Request) => string;
  /** Aborts streams. */
  readonly stopping: AbortSignal;
  /** Interval of heartbeats on a stream, milliseconds. */
  readonly heartbeatMs: number;
}

/** Returns an Express handler. It passes errors to the last handler, see `refuse`. */
export function toRoute(
  { authenticate, stopping, heartbeatMs }: ServeRules,
  answerTo: AnswerTo,
): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const correlationId = correlationOfRequest(request.headers, requestIdOf(response));
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const actor = authenticate(request);
    const { params, baseUrl } = request;
    const answered = await answerTo({ request, params, baseUrl, actor, correlationId, signal: gone.signal });
    if ("events" in answered) {
      const signal = AbortSignal.any([gone.signal, stopping]);
      const headers = ["x-correlation-id", correlationId];
      return sendEvents(response, answered.events(signal), { signal, headers, heartbeatMs });
    }
    if ("lines" in answered) {
      const headers = ["content-type", answered.contentType, "x-correlation-id", correlationId];
      response.writeHead(200, [...answerHeaders(response), ...headers]);
      if (request.method === "HEAD") return void response.end();
      return pipeline(Readable.from(answered.lines), response);
    }
    const { status, body, headers = {} } = answered;
    const all = Object.entries({ ...headers, "x-correlation-id": correlationId }).flat();
    if (body === undefined) response.writeHead(status, [...answerHeaders(response), ...all]).end();
    else answer(response, status, { contentType: "application/json", body: JSON.stringify(body), headers: all });
  };
}

const ours: ReadonlySet<string> = new Set<SharedProblemKind>(["internal", "unavailable"]);

/** Sends a thrown error as a problem and reports it. */
export function refuse(
  { request, response }: { readonly request: Request; readonly response: Response },
  error: unknown,
  onRefused: OnRefused | undefined,
): void {
  // The client disconnected, so nothing can be answered, and nothing failed.
  if (response.destroyed || request.socket.destroyed) return;
  const problem = problemOf(error);
  const correlationId = correlationOfRequest(request.headers, requestIdOf(response));
  const { kind } = problem;
  onRefused?.({ kind, method: request.method, correlationId, ...(ours.has(kind) && { cause: error }) });
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem, correlationId);
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
  { signal, headers, heartbeatMs }: EventStreamOptions,
): Promise<void> {
  const stream = openEventStream(response, { headers, heartbeatMs, signal });
  try {
    if (response.req.method !== "HEAD") {
      await stream.send(`retry: ${retryMs}\n\n`);
      for await (const batch of batches) {
        if (signal.aborted) break;
        await stream.send(batch.map(textOf).join(""));
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
