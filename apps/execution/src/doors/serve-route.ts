import type { ServerResponse } from "node:http";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import {
  type BadRequest,
  type BadRequestAnswer,
  type Door,
  type Emit,
  type Exchange,
  type Refusal,
  type RefusalForm,
  refusalKinds,
  refusalsOf,
  surface,
  type WriteRefusal,
} from "@crosszone/service-kit";
import { outageOf } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type Authenticator, type AuthRefusal, authRefusals } from "./auth/authenticator.ts";

/** What only the listeners of JSON-RPC refuse. */
const rows = {
  auth_unavailable: { status: 503, advice: "credentials can't be checked right now" },
  host_not_allowed: {
    status: 403,
    advice: "the Host header is neither the host of ASK_URL nor localhost; set ASK_URL to the URL that programs use",
  },
  origin_not_allowed: { status: 403, advice: "pages of other sites can't send requests" },
};

export const refuse = refusalsOf(rows);

/** Every reason, for a metric. */
export const refusalReasons: readonly string[] = [...authRefusals, ...Object.keys({ ...refusalKinds, ...rows })];

/** Returns the 401 refusal. The caller learns whether credentials are missing or invalid; the log has the reason. */
export function refuseCaller(reason: AuthRefusal, { challenge, hint }: Authenticator): Refusal {
  if (reason === "credentials_missing")
    return refuse("unauthorized", { reason, message: hint, headers: { "www-authenticate": challenge } });
  // https://www.rfc-editor.org/rfc/rfc6750#section-3
  const invalid = challenge === "Bearer" ? 'Bearer error="invalid_token"' : challenge;
  return refuse("unauthorized", { reason, headers: { "www-authenticate": invalid } });
}

const errorKinds: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [413, "payload_too_large"],
  [429, "rate_limited"],
  [500, "internal"],
  [503, "zone_unavailable"],
]);

/** Returns a refusal as the zone's methods throw it. */
export function refusalError({ status, message, retryAfterMs, cause }: Refusal): ZoneError {
  const kind = errorKinds.get(status) ?? "invalid_request";
  if (kind === "internal") return new ZoneError(kind);
  const text = outageOf(cause)?.what ?? message;
  return new ZoneError(kind, { problems: [{ pointer: "", message: text }], retry_after_ms: retryAfterMs });
}

/** Writes the JSON-RPC error for something that never became a request: `id` is null. */
export function writeRpcRefusal(refused: Refusal, { correlationId }: Exchange): RefusalForm {
  const error = errorToJson(refusalError(refused), correlationId);
  return { contentType: "application/json", body: JSON.stringify({ jsonrpc: "2.0", error, id: null }) };
}

/** Returns a function that reports what the doors of JSON-RPC refuse. */
export const createReportRefused =
  (emit: Emit<ExecutionEvent>) =>
  (refused: Refusal, { correlationId, requestId, from }: Exchange): void => {
    const { kind: name, status, reason = name, by, cause } = refused;
    const { kind } = refusalError(refused);
    const fields = { kind, code: errorTable[kind].code, correlation_id: correlationId, http_request_id: requestId };
    if (kind === "internal") emit("http_failed", { ...fields, cause });
    else emit("http_refused", { status, reason, ...fields, ...from, cause, by });
  };

/** The rest of the routes, or the last answer: 404 without an error, otherwise the error's status. */
export type Next = (error?: unknown) => void;

/** Creates the last answer for requests that no route has handled. `rpcPath` is undefined in processes without JSON-RPC. */
export function createLastAnswer(
  rpcPath: string | undefined,
  emit: Emit<ExecutionEvent>,
  write: WriteRefusal = writeRpcRefusal,
) {
  const report = createReportRefused(emit);
  const message =
    rpcPath === undefined
      ? "this process doesn't serve JSON-RPC: EXECUTION_ROLES does not include rpc"
      : `JSON-RPC is served at POST ${rpcPath}`;
  return (response: ServerResponse): Next =>
    (error) => {
      const status = statusOf(error);
      const failed = status === 500;
      const auth = (): Refusal =>
        failed ? refuse("internal", { cause: error }) : { ...refuse("not_found", { message }), status };
      const last: Door<never> = { auth, serve: () => undefined, write, ...(failed && { onRefused: report }) };
      void surface(last)(response.req, response);
    };
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
