import type { IncomingMessage, ServerResponse } from "node:http";
import { isCorrelationId } from "@crosszone/contracts";
import { answer, answerHeaders, requestIdOf } from "@crosszone/service-kit";
import type { Request, RequestHandler, Response } from "express";
import { problemOf, sendProblem } from "./send-problem.ts";
import type { RegistryProblem } from "./registry-problem.ts";

/** One authorised request of an admin. */
export interface RegistryExchange {
  readonly request: Request<Record<string, string>>;
  readonly response: ServerResponse;
  /** The digest of the token, see `authenticateAdmin`. */
  readonly actor: string;
  readonly correlationId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a route answers. */
export interface RegistryAnswer {
  readonly status: 200 | 201 | 204;
  /** Sent as JSON; nothing is sent when it is absent. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the API refused, for the log. */
export interface RegistryRefusal {
  readonly kind: RegistryProblem["kind"];
  readonly method: string;
  readonly correlationId: string;
  /** What went wrong here, where it is not the sender's fault. */
  readonly cause?: unknown;
}

export type OnRefused = (refusal: RegistryRefusal) => void;

export function correlationOf(request: IncomingMessage, response: ServerResponse): string {
  const own = request.headers["x-correlation-id"];
  return isCorrelationId(own) ? own : requestIdOf(response);
}

/** Makes a route of what answers an exchange: whatever it throws is answered as a problem. */
export function toRoute(
  authenticate: (request: IncomingMessage) => string,
  answerTo: (exchange: RegistryExchange) => RegistryAnswer | Promise<RegistryAnswer>,
): RequestHandler<Record<string, string>> {
  return async (request, response: Response) => {
    const correlationId = correlationOf(request, response);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const actor = authenticate(request);
    const {
      status,
      body,
      headers = {},
    } = await answerTo({
      request,
      response,
      actor,
      correlationId,
      signal: gone.signal,
    });
    const all = Object.entries({ ...headers, "x-correlation-id": correlationId }).flat();
    if (body === undefined) response.writeHead(status, [...answerHeaders(response), ...all]).end();
    else answer(response, status, { contentType: "application/json", body: JSON.stringify(body), headers: all });
  };
}

/** Answers what a route threw, and tells of it. */
export function refuse(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  error: unknown,
  onRefused: OnRefused | undefined,
): void {
  // Who asked went away: there is nobody to answer, and nothing went wrong.
  if (response.destroyed || request.socket.destroyed) return;
  const problem = problemOf(error);
  const correlationId = correlationOf(request, response);
  const { kind } = problem;
  const ours = kind === "internal" || kind === "unavailable";
  onRefused?.({ kind, method: request.method ?? "", correlationId, ...(ours && { cause: error }) });
  if (response.headersSent) response.destroy();
  else sendProblem({ request, response }, problem, correlationId);
}
