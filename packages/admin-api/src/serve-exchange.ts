import { answer, answerHeaders } from "@crosszone/service-kit";
import type { Request, RequestHandler, Response } from "express";
import { correlationOf, type AnswerTo } from "./api-exchange.ts";
import type { SharedProblemKind } from "./shared-problem.ts";
import { problemOf, sendProblem } from "./send-problem.ts";
import { sendEvents } from "./send-events.ts";

/** A request that the API refused, for the log. */
export interface ApiRefusal {
  /** Of `sharedProblems`, or of a part's own table. */
  readonly kind: string;
  readonly method: string;
  readonly correlationId: string;
  /** What went wrong here, where it is not the sender's fault. */
  readonly cause?: unknown;
}

export type OnRefused = (refusal: ApiRefusal) => void;

/** What holds for every request. */
export interface ServeRules {
  /** Gives the actor, or throws. */
  readonly authenticate: (request: Request) => string;
  /** Ends what is answered bit by bit. */
  readonly stopping: AbortSignal;
  /** How often a stream says that it is alive, milliseconds. */
  readonly heartbeatMs: number;
}

/** Makes a route of what answers an exchange: whatever it throws is for the last handler, see `refuse`. */
export function toRoute(
  { authenticate, stopping, heartbeatMs }: ServeRules,
  answerTo: AnswerTo,
): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const correlationId = correlationOf(request, response);
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
    const { status, body, headers = {} } = answered;
    const all = Object.entries({ ...headers, "x-correlation-id": correlationId }).flat();
    if (body === undefined) response.writeHead(status, [...answerHeaders(response), ...all]).end();
    else answer(response, status, { contentType: "application/json", body: JSON.stringify(body), headers: all });
  };
}

const ours: ReadonlySet<string> = new Set<SharedProblemKind>(["internal", "unavailable"]);

/** Answers what a route threw, and tells of it. */
export function refuse(
  { request, response }: { readonly request: Request; readonly response: Response },
  error: unknown,
  onRefused: OnRefused | undefined,
): void {
  // Who asked went away: there is nobody to answer, and nothing went wrong.
  if (response.destroyed || request.socket.destroyed) return;
  const problem = problemOf(error);
  const correlationId = correlationOf(request, response);
  const { kind } = problem;
  onRefused?.({ kind, method: request.method, correlationId, ...(ours.has(kind) && { cause: error }) });
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem, correlationId);
}
