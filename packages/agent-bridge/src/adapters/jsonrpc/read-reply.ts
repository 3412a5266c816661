import type { JsonRpcError } from "@crosszone/contracts";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { ProtocolTranslationError } from "../../protocol/agent-failure.ts";
import { agentWords, failureOfStatus, isSuccessStatus } from "../../protocol/failure-of-status.ts";
import { failure, type Reading, type AgentReply } from "../../protocol/protocol-adapter.ts";
import { readJson } from "../../protocol/read-json.ts";
import { failureOfError } from "./failures.ts";
import { readResult } from "./read-result.ts";

export interface ReadReplyOptions {
  /** The request's id, which is the task's id. */
  readonly id: string;
  readonly protocol: string;
  /** Converts a result to the shape of A2A 0.3; when absent, the result is used unchanged. */
  readonly normalize?: (result: unknown) => unknown;
}

/** Reads a JSON-RPC reply of an A2A agent. Throws a `ProtocolTranslationError` when its envelope is invalid. */
export function readReplyOf(reply: AgentReply, { id, protocol, normalize }: ReadReplyOptions): Reading {
  const envelope = readEnvelope(reply, id, protocol);
  if (envelope === "status_decides") return failure(id, failureOfStatus(reply));
  if ("error" in envelope) return failure(id, failureOfError(envelope.error, reply.status));
  return readResult(normalize === undefined ? envelope.result : normalize(envelope.result), id, protocol);
}

/** The content of a JSON-RPC response; `status_decides` when the response is not JSON-RPC. */
type Envelope = { readonly result: unknown } | { readonly error: JsonRpcError } | "status_decides";

/**
 * Parses the response to the request `id`, whatever its HTTP status:
 * https://www.jsonrpc.org/specification#response_object. Strict, with two exceptions: an `error` of null next to a
 * result, and an error with `id` null, which a server sends when it couldn't parse the request. Throws a
 * `ProtocolTranslationError` that says what is wrong.
 */
function readEnvelope(reply: AgentReply, id: string, protocol: string): Envelope {
  const isSuccess = isSuccessStatus(reply.status);
  let body: unknown;
  try {
    body = readJson(reply, protocol);
  } catch (error) {
    if (isSuccess) throw error;
    return "status_decides";
  }
  if (!isSuccess && ownMember(body, "jsonrpc") === undefined) return "status_decides";
  const error = ownMember(body, "error") ?? null;
  const wrong = problemOf(body, id);
  if (wrong !== undefined)
    throw new ProtocolTranslationError(
      "invalid_envelope",
      `The agent's answer is not a JSON-RPC 2.0 response: ${wrong}.`,
      {
        protocol,
        direction: "response",
        originalData: body,
        data: error !== null && ownMember(body, "id") === id ? { error } : undefined,
      },
    );
  return isError(error) ? { error } : { result: ownMember(body, "result") };
}

function problemOf(body: unknown, id: string): string | undefined {
  if (Array.isArray(body)) return "it is a list instead of a single response";
  if (!isObject(body)) return "it is not an object";
  if (!Object.hasOwn(body, "jsonrpc")) return "it has no member jsonrpc";
  if (body["jsonrpc"] !== "2.0") return `jsonrpc is ${agentWords(body["jsonrpc"]) ?? "empty"} instead of "2.0"`;
  if (!Object.hasOwn(body, "id")) return "it has no member id";
  const hasError = (ownMember(body, "error") ?? null) !== null;
  if (body["id"] !== id && !(hasError && body["id"] === null))
    return `its id is ${agentWords(JSON.stringify(body["id"]))} instead of the request's ${agentWords(JSON.stringify(id))}`;
  const hasResult = Object.hasOwn(body, "result");
  if (hasResult && hasError) return "it has both result and error";
  if (!hasResult && !hasError) return "it has neither result nor error";
  if (!hasError || isError(body["error"])) return undefined;
  return `its error needs an integer code and a message, but is ${agentWords(body["error"]) ?? "empty"}`;
}

/** Additional members are allowed. */
function isError(value: unknown): value is JsonRpcError {
  return Number.isInteger(ownMember(value, "code")) && typeof ownMember(value, "message") === "string";
}
