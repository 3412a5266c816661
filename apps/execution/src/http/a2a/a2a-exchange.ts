import type { IncomingMessage, ServerResponse } from "node:http";
import { errorObject, RpcError, type RpcId, type Version } from "@crosszone/a2a";
import { errorTable } from "@crosszone/contracts";
import { answer, refusalHeaders, requestIdOf } from "@crosszone/service-kit";
import { mayAsk } from "../../agents/agent.ts";
import type { Asker } from "../../ask/asker.ts";
import type { Agent } from "../../agents/agent.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import type { RefusalReason } from "../refuse.ts";
import { rpcErrorOf } from "./a2a-errors.ts";

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

/** A JSON-RPC response, and how HTTP carries it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: readonly string[];
}

/** Returns the answer to a request that failed, and reports an error that is a bug. */
export function errorAnswer(
  { emit }: AskRoutesDeps,
  { request, response, correlationId }: A2aExchange,
  failed: { readonly error: unknown; readonly id?: RpcId; readonly version?: Version | undefined },
): ErrorAnswer {
  const { error, version } = failed;
  const shown = rpcErrorOf(error);
  const { status = statusOf(request, shown), headers = {}, id = failed.id ?? null } = shown.details;
  const ids = { correlation_id: correlationId, http_request_id: requestIdOf(response) };
  const reason = refusals.get(status);
  if (shown.reason === "INTERNAL")
    emit("http_failed", { kind: "internal", code: errorTable.internal.code, ...ids, cause: error });
  else if (reason !== undefined) emit("http_refused", { status, reason, ...ids });
  return {
    status,
    body: JSON.stringify({ jsonrpc: "2.0", id, error: errorObject(shown, version?.name ?? "1.0") }),
    headers: Object.entries({ ...headers, ...refusalHeaders({ request, correlationId }) }).flat(),
  };
}

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

export const answerWith = (response: ServerResponse, { status, body, headers }: ErrorAnswer): void =>
  answer(response, status, { contentType: "application/json", body, headers });

/** Returns the error of a request that HTTP refuses. */
export const refused = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): RpcError =>
  new RpcError("INVALID_REQUEST", `Invalid request: ${message}`, { status, headers });
