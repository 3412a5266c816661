import type { IncomingMessage } from "node:http";
import { errorAnswer, type ErrorReason, refusedRequest, RpcError, statedVersion } from "@crosszone/a2a";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import { type Exchange, type Refusal, type RefusalKind, Refused, type WriteRefusal } from "@crosszone/service-kit";
import { errorForCallers } from "../../store/open-execution-database.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { refusalError } from "../serve-route.ts";

/** Returns the error that a program learns of anything that was thrown. Reports it unless the program is gone. */
export function shownError(
  { emit }: AskRoutesDeps,
  { response, correlationId, requestId }: Exchange,
  cause: unknown,
): RpcError {
  const shown = rpcErrorOf(cause);
  if (response.destroyed) return shown;
  const { status = 200 } = shown.details;
  const ids = { correlation_id: correlationId, http_request_id: requestId };
  const reason = refusals.get(status);
  if (shown.reason === "INTERNAL")
    emit("http_failed", { kind: "internal", code: errorTable.internal.code, ...ids, cause });
  else if (reason !== undefined) emit("http_refused", { status, reason, ...ids });
  return shown;
}

/** Writes a refusal before a call of JSON-RPC, whose answer is 200 whatever it says. */
export const writeA2aRefusal: WriteRefusal = (refused, { request }) => {
  const { body } = errorAnswer(rpcErrorOf(new Refused(refused)), versionIn(request));
  return { contentType: "application/json", body };
};

/** Returns the version that a request states, as text; empty without one. */
export const versionIn = ({ headers, url }: IncomingMessage): string =>
  statedVersion(headers["a2a-version"], `http://zone${url}`);

const refusals: ReadonlyMap<number, RefusalKind> = new Map([
  [405, "method_not_allowed"],
  [413, "too_large"],
  [415, "content_type"],
  [429, "too_many"],
]);

/** How an error kind leaves this surface. */
interface ErrorRow {
  readonly reason: ErrorReason;
  /** The HTTP status; 200 when absent. */
  readonly status?: number;
  /** The title of the kind when absent. */
  readonly message?: string;
}

const internal = { reason: "INTERNAL" } as const;

/** Kinds that only the outcome of a task has never are the error of a request: that is a bug here. */
const rows = {
  parse_error: { reason: "PARSE_ERROR" },
  invalid_request: { reason: "INVALID_REQUEST" },
  method_not_found: { reason: "METHOD_NOT_FOUND" },
  invalid_params: { reason: "INVALID_PARAMS" },
  payload_too_large: { reason: "INVALID_REQUEST", status: 413 },
  unauthorized: {
    reason: "UNAVAILABLE",
    status: 401,
    message:
      "The token is no longer valid: it was revoked or has expired. The task goes on: read it with a valid token.",
  },
  rate_limited: { reason: "UNAVAILABLE", status: 429 },
  shutting_down: { reason: "UNAVAILABLE", status: 503 },
  zone_unavailable: { reason: "UNAVAILABLE", status: 503 },
  task_not_found: { reason: "TASK_NOT_FOUND", message: "The task does not exist." },
  unknown_agent: { reason: "TASK_NOT_FOUND", message: "There is no such agent, or this token can't ask it." },
  input_request_not_found: { reason: "UNSUPPORTED_OPERATION", message: "The input request is no longer open." },
  invalid_state_transition: { reason: "TASK_NOT_CANCELABLE", message: "The task has ended. It can't be canceled." },
  internal,
  timeout: internal,
  canceled: internal,
  agent_unavailable: internal,
  agent_failed: internal,
  agent_invalid_response: internal,
  agent_misconfigured: internal,
  agent_lost_task: internal,
  agent_lost_answer: internal,
} as const satisfies Record<ErrorKind, ErrorRow>;

/** Returns the A2A error of anything that was thrown. Only a `ZoneError` and an `RpcError` say more than that it is internal. */
function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof Refused) return rpcErrorOfRefusal(error.refusal);
  const known = errorForCallers(error);
  const { kind, data } = known instanceof ZoneError ? known : new ZoneError("internal");
  const { title } = errorTable[kind];
  const { reason, status, message = title }: ErrorRow = rows[kind];
  const problems = data.problems?.map((problem) => `${problem.pointer} ${problem.message}`.trim()) ?? [];
  const { retry_after_ms: waitMs } = data;
  return new RpcError(reason, problems.length === 0 ? message : `${title}: ${problems.join("; ")}`, {
    named: kind.toUpperCase(),
    status,
    headers: waitMs === undefined ? undefined : { "retry-after": String(Math.ceil(waitMs / 1_000)) },
  });
}

function rpcErrorOfRefusal(refused: Refusal): RpcError {
  const { status, message, headers, cause } = refused;
  if (cause instanceof ZoneError || cause instanceof RpcError) return rpcErrorOf(cause);
  if ([405, 413, 415].includes(status)) return refusedRequest(status, message, headers);
  const { reason, message: text, details } = rpcErrorOf(refusalError(refused));
  return new RpcError(reason, text, { ...details, status });
}
