import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type A2AAnswer,
  answerVersion,
  errorAnswer,
  type ErrorReason,
  RpcError,
  statedVersion,
  type Version,
} from "@crosszone/a2a";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import { answer, answerHeaders, refusalHeaders, requestIdOf } from "@crosszone/service-kit";
import { type Agent, mayAsk } from "../../agents/agent.ts";
import { errorForCallers } from "../../store/open-execution-database.ts";
import type { AskService } from "../../tasks/ask/ask-service.ts";
import type { AskedTask } from "../../tasks/ask/asked-task.ts";
import type { Asker, AskRequest } from "../../tasks/ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import type { RefusalReason, WriteRefusal } from "../serve-route.ts";

/** A request to one agent, which may not exist. */
export interface A2aExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: string;
  readonly correlationId: string;
}

/** Returns an agent. Throws `unknown_agent`, the same for one that does not exist and for one that the program may not ask. */
export function agentFor({ ask, rejected }: AskRoutesDeps, asker: Asker, name: string): Promise<Agent> {
  if (!mayAsk(asker, name)) rejected?.(asker, "a2a", { action: "ask.agent", because: "agent not allowed" });
  return ask.agent(asker, name);
}

/** Returns the error that a program learns of anything that was thrown. Reports it unless the program is gone. */
export function shownError(
  { emit }: AskRoutesDeps,
  { response, correlationId }: A2aExchange,
  cause: unknown,
): RpcError {
  const shown = rpcErrorOf(cause);
  if (response.destroyed) return shown;
  const { status = 200 } = shown.details;
  const ids = { correlation_id: correlationId, http_request_id: requestIdOf(response) };
  const reason = refusals.get(status);
  if (shown.reason === "INTERNAL")
    emit("http_failed", { kind: "internal", code: errorTable.internal.code, ...ids, cause });
  else if (reason !== undefined) emit("http_refused", { status, reason, ...ids });
  return shown;
}

/** Answers a request that failed before it was a call of JSON-RPC. */
export function sendError(deps: AskRoutesDeps, exchange: A2aExchange, cause: unknown): void {
  const { request, response } = exchange;
  const error = shownError(deps, exchange, cause);
  if (response.headersSent) return void response.destroy();
  sendAnswer(
    response,
    rawAnswer(exchange, errorAnswer(error, versionIn(request), { status: statusOf(request, error) })),
  );
}

/** An answer as Node takes it. */
export interface RawAnswer {
  readonly status: number;
  /** Empty for a notification. */
  readonly body: string;
  readonly headers: readonly string[];
}

export const rawAnswer = (
  { request, correlationId }: A2aExchange,
  { status, body = "", headers }: A2AAnswer,
): RawAnswer => ({
  status,
  body,
  headers: Object.entries({ ...headers, ...refusalHeaders({ request, correlationId }) }).flat(),
});

export function sendAnswer(response: ServerResponse, { status, body, headers }: RawAnswer): void {
  if (body === "") response.writeHead(status, [...answerHeaders(response), ...headers]).end();
  else answer(response, status, { contentType: "application/json", body, headers });
}

export const a2aRefusalText: WriteRefusal = (error, { request }) =>
  errorAnswer(rpcErrorOf(error), versionIn(request)).body;

/** Returns the version that a request states, as text; empty without one. */
export const versionIn = ({ headers, url }: IncomingMessage): string =>
  statedVersion(headers["a2a-version"], `http://zone${url}`);

export const formOfRequest = (request: IncomingMessage): Version["name"] => answerVersion(versionIn(request));

const refusals: ReadonlyMap<number, RefusalReason> = new Map([
  [405, "method_not_allowed"],
  [413, "too_large"],
  [415, "content_type"],
  [429, "too_many"],
]);

/** A JSON-RPC answer is 200, whatever it says. */
function statusOf({ method }: IncomingMessage, { reason }: RpcError): number {
  if (method === "POST") return 200;
  return reason === "TASK_NOT_FOUND" ? 404 : 500;
}

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

/** A request of a program to an agent that it may ask. */
export interface ProgramCall {
  readonly ask: AskService;
  readonly request: AskRequest;
  readonly agent: Agent;
  readonly version: Version;
  readonly card: () => Promise<object>;
  /** Returns a task of this program and this agent. Throws `task_not_found`. */
  readonly find: (taskId: string) => Promise<AskedTask>;
  /** Signs page tokens. */
  readonly pageKey: Uint8Array;
  /** The `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly hops: number;
  /** Keeps the connection open while an answer takes its time. */
  readonly hold: () => void;
  /** Whether the client knows the extension by which agents ask people. */
  readonly hitl: boolean;
  /** The `Last-Event-ID` of a stream that continues. */
  readonly lastEvent: EventPlace | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A place in the events of a stream: after an event of the task, and after a number of the events into which the next one is divided. */
interface EventPlace {
  readonly seq: number;
  readonly parts: number;
}

/** Returns the place that an event id names: `12`, or `12.1`; undefined for another text. */
export function readEventId(id: string | undefined): EventPlace | undefined {
  const [, seq, parts = "0"] = /^(\d{1,16})(?:\.(\d{1,2}))?$/.exec(id ?? "") ?? [];
  const place = { seq: Number(seq), parts: Number(parts) };
  return Number.isSafeInteger(place.seq) ? place : undefined;
}

export const eventId = ({ seq, parts }: EventPlace): string => (parts === 0 ? `${seq}` : `${seq}.${parts}`);
