import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type A2AAnswer,
  answerVersion,
  errorAnswer,
  type ErrorReason,
  refusedRequest,
  RpcError,
  statedVersion,
  type Version,
} from "@crosszone/a2a";
import { hitlUri, hopsHeader } from "@crosszone/agent-bridge";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import {
  answer,
  answerHeaders,
  type Exchange,
  type Refusal,
  type RefusalKind,
  Refused,
  type WriteRefusal,
} from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { type Agent, mayAsk } from "../../agents/agent.ts";
import { errorForCallers } from "../../store/open-execution-database.ts";
import type { AskedTask } from "../../tasks/ask/asked-task.ts";
import type { Asker, AskRequest } from "../../tasks/ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { refusalError } from "../serve-route.ts";

/** Returns an agent. Throws `unknown_agent`, the same for one that does not exist and for one that the program may not ask. */
export function agentFor({ ask, rejected }: AskRoutesDeps, asker: Asker, name: string): Promise<Agent> {
  if (!mayAsk(asker, name)) rejected?.(asker, "a2a", { action: "ask.agent", because: "agent not allowed" });
  return ask.agent(asker, name);
}

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

/** An answer as Node takes it. */
export interface RawAnswer {
  readonly status: number;
  /** Empty for a notification. */
  readonly body: string;
  readonly headers: readonly string[];
}

export function rawAnswer(
  { request, correlationId }: Exchange,
  { status, body = "", headers }: A2AAnswer,
  more: readonly string[] = [],
): RawAnswer {
  // An unread body would be parsed as the next request.
  const all = { ...headers, ...(!request.complete && { connection: "close" }), "x-correlation-id": correlationId };
  return { status, body, headers: [...Object.entries(all).flat(), ...more] };
}

export function sendAnswer(response: ServerResponse, { status, body, headers }: RawAnswer): void {
  if (body === "") response.writeHead(status, [...answerHeaders(response), ...headers]).end();
  else answer(response, status, { contentType: "application/json", body, headers });
}

/** Writes a refusal before a call of JSON-RPC, whose answer is 200 whatever it says. */
export const writeA2aRefusal: WriteRefusal = (refused, { request }) => {
  const { body } = errorAnswer(rpcErrorOf(new Refused(refused)), versionIn(request));
  return { contentType: "application/json", body };
};

/** Returns the version that a request states, as text; empty without one. */
export const versionIn = ({ headers, url }: IncomingMessage): string =>
  statedVersion(headers["a2a-version"], `http://zone${url}`);

export const formOfRequest = (request: IncomingMessage): Version["name"] => answerVersion(versionIn(request));

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

/** A request of a program to an agent that it may ask. */
export type ProgramCall = Awaited<ReturnType<typeof openProgramCall>>;

/** Opens a call to the agent that an exchange is about. Throws `unknown_agent`. */
export async function openProgramCall(
  deps: AskRoutesDeps,
  exchange: Exchange,
  call: {
    readonly asker: Asker;
    readonly version: Version;
    /** Aborts when the client disconnects, or with an error when its program may no longer ask. */
    readonly signal: AbortSignal;
    /** Keeps the connection open while an answer takes its time. */
    readonly hold: () => void;
    readonly card: () => Promise<object>;
  },
) {
  const { ask, pageKey } = deps;
  const { asker } = call;
  const { headers } = exchange.request;
  const agent = await agentFor(deps, asker, exchange.about ?? "");
  const traceparent = readTraceparent(headers["traceparent"]);
  const request: AskRequest = { asker, surface: "a2a", correlationId: exchange.correlationId, traceparent };
  return {
    ...call,
    ask,
    pageKey,
    agent,
    request,
    /** Returns a task of this program and this agent. Throws `task_not_found`. */
    find: async (taskId: string): Promise<AskedTask> => {
      const task = await ask.find(asker, taskId);
      if (task.agent !== agent.name) throw new ZoneError("task_not_found", { task_id: taskId });
      return task;
    },
    key: textOf(headers["idempotency-key"]),
    hops: hopsOf(headers[hopsHeader]),
    hitl: wantsHitl(exchange),
    lastEvent: readEventId(textOf(headers["last-event-id"])),
  };
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" && header !== "" ? header : undefined;

const hopsOf = (header: string | readonly string[] | undefined): number =>
  typeof header === "string" && /^\d{1,4}$/.test(header) ? Number(header) : 0;

/** Whether the client knows the extension by which agents ask people. 0.3 has another name for the header. */
export const wantsHitl = ({ request: { headers } }: Exchange): boolean =>
  [headers["a2a-extensions"], headers["x-a2a-extensions"]]
    .join()
    .split(",")
    .some((uri) => uri.trim() === hitlUri);

/** A place in the events of a stream: after an event of the task, and after a number of the events into which the next one is divided. */
interface EventPlace {
  readonly seq: number;
  readonly parts: number;
}

/** Returns the place that an event id names: `12`, or `12.1`; undefined for another text. */
function readEventId(id: string | undefined): EventPlace | undefined {
  const [, seq, parts = "0"] = /^(\d{1,16})(?:\.(\d{1,2}))?$/.exec(id ?? "") ?? [];
  const place = { seq: Number(seq), parts: Number(parts) };
  return Number.isSafeInteger(place.seq) ? place : undefined;
}

export const eventId = ({ seq, parts }: EventPlace): string => (parts === 0 ? `${seq}` : `${seq}.${parts}`);
