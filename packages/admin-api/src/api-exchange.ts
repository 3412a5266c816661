import type { IncomingMessage, ServerResponse } from "node:http";
import { isCorrelationId } from "@crosszone/contracts";
import { requestIdOf } from "@crosszone/service-kit";

/** One authorised request of an admin. */
export interface ApiExchange {
  readonly request: IncomingMessage;
  /** The values of the path's `{name}` parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path of the whole API, for `Location`. */
  readonly baseUrl: string;
  /** The digest of the token, see `authenticateAdmin`. */
  readonly actor: string;
  readonly correlationId: string;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** A response that is sent at once. */
export interface ApiContent {
  readonly status: 200 | 201 | 204;
  /** Sent as JSON; absent for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One server-sent event. `data` is any JSON. */
export interface ApiEvent {
  readonly event: string;
  readonly data: unknown;
  /** Sent by a reconnecting client as the last seen id. */
  readonly id?: string;
}

/** A response that is streamed: batches of events until the source ends. */
export interface ApiStream {
  /** The signal aborts when the client disconnects or the service stops; the source must end then. */
  readonly events: (signal: AbortSignal) => AsyncIterable<readonly ApiEvent[]>;
}

export type ApiAnswer = ApiContent | ApiStream;

/** Handles a request. A thrown error becomes a problem response. */
export type AnswerTo = (exchange: ApiExchange) => ApiAnswer | Promise<ApiAnswer>;

/** Returns the `X-Correlation-Id` of a request if it is valid, otherwise the request's own id. */
export function correlationOf(request: IncomingMessage, response: ServerResponse): string {
  const own = request.headers["x-correlation-id"];
  return isCorrelationId(own) ? own : requestIdOf(response);
}
