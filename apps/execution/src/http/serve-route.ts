import type { IncomingMessage, ServerResponse } from "node:http";
import { errorTable, ZoneError } from "@crosszone/contracts";
import {
  answerJson,
  correlationOfRequest,
  requestIdOf,
  type BadRequest,
  type BadRequestAnswer,
  type Emit,
} from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { refusalText, refuse, type Exchange, type Refusal } from "./refuse.ts";

/** Handles a request. Resolves with a refusal to answer, with `not_found` for the 404 answer, or with nothing. */
export type Route = (exchange: Exchange) => Promise<Refusal | "not_found" | undefined>;

/** The rest of the routes, or the last answer: 404 without an error, otherwise the error's status. */
export type Next = (error?: unknown) => void;

/** Returns a route as a handler: it answers refusals, and passes errors and `not_found` on. */
export function serveRoute(route: Route, emit: Emit<ExecutionEvent>, write = refusalText) {
  return async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    const requestId = requestIdOf(response);
    const exchange = { request, response, requestId, correlationId: correlationOfRequest(request.headers, requestId) };
    try {
      const refusal = await route(exchange);
      if (refusal === "not_found") next();
      else if (refusal !== undefined) emit("http_refused", refuse(exchange, refusal, write));
    } catch (error) {
      next(error);
    }
  };
}

/** Creates the last answer for requests that no route has handled. `rpcPath` is undefined in processes without JSON-RPC. */
export function createLastAnswer(rpcPath: string | undefined, emit: Emit<ExecutionEvent>, write = refusalText) {
  return (response: ServerResponse): Next =>
    (error) => {
      const status = statusOf(error);
      const { code } = errorTable.internal;
      const failed = { kind: "internal", code, http_request_id: requestIdOf(response), cause: error };
      if (status === 500) emit("http_failed", failed);
      if (response.headersSent) response.destroy();
      else answerJson(response, status, write(errorFor(status, rpcPath), { request: response.req }));
    };
}

function errorFor(status: number, rpcPath: string | undefined): ZoneError {
  if (status === 500) return new ZoneError("internal");
  const message =
    rpcPath === undefined
      ? "this process doesn't serve JSON-RPC: EXECUTION_ROLES does not include rpc"
      : `JSON-RPC is served at POST ${rpcPath}`;
  return new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
}

/** 404 when no route matched, Express's own 4xx (a malformed URL), otherwise 500. */
function statusOf(error: unknown): number {
  if (error === undefined || error === null) return 404;
  const status = (error as { status?: unknown }).status;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

/** Returns a function that answers HTTP that is invalid or too slow, and never became a request. */
export const createBadRequest =
  (emit: Emit<ExecutionEvent>) =>
  ({ status, code: parser, requestId }: BadRequest): BadRequestAnswer => {
    const kind = "invalid_request";
    const { code, title: message } = errorTable[kind];
    emit("http_refused", { status, kind, reason: `http_${status}`, code, parser, http_request_id: requestId });
    const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
    return { contentType: "application/json", body };
  };
