import type { IncomingMessage, ServerResponse } from "node:http";
import { isCorrelationId } from "@crosszone/contracts";
import { requestIdOf } from "@crosszone/service-kit";

/** One authorised request of an admin. */
export interface ApiExchange {
  readonly request: IncomingMessage;
  /** What stands in the path for each `{name}` of the template, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path of the whole API, for `Location`. */
  readonly baseUrl: string;
  /** The digest of the token, see `authenticateAdmin`. */
  readonly actor: string;
  readonly correlationId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What is answered at once. */
export interface ApiContent {
  readonly status: 200 | 201 | 204;
  /** Sent as JSON; nothing is sent when it is absent. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One server-sent event. `data` is any JSON. */
export interface ApiEvent {
  readonly event: string;
  readonly data: unknown;
  /** What a client that comes back says it has seen last. */
  readonly id?: string;
}

/** What is answered bit by bit: events, those together that happened together, until there are no more. */
export interface ApiStream {
  /** The signal is aborted when nobody reads any more, and when the service stops: end then. */
  readonly events: (signal: AbortSignal) => AsyncIterable<readonly ApiEvent[]>;
}

export type ApiAnswer = ApiContent | ApiStream;

/** Answers a request; what it throws is answered as a problem. */
export type AnswerTo = (exchange: ApiExchange) => ApiAnswer | Promise<ApiAnswer>;

/** The `X-Correlation-Id` of a request, where it is sound; otherwise the id of the request itself. */
export function correlationOf(request: IncomingMessage, response: ServerResponse): string {
  const own = request.headers["x-correlation-id"];
  return isCorrelationId(own) ? own : requestIdOf(response);
}
