import type { JsonRpcError } from "@crosszone/contracts";
import { isSuccessStatus } from "../failure-of-status.ts";
import { agentWords } from "../agent-words.ts";
import { isObject, ownMember } from "../own-member.ts";
import { ProtocolTranslationError } from "../protocol-translation-error.ts";
import { readJson } from "../read-json.ts";
import type { AgentReply } from "../../client/agent-client.ts";

/** The content of a JSON-RPC response; `status_decides` when the response is not JSON-RPC. */
export type Envelope = { readonly result: unknown } | { readonly error: JsonRpcError } | "status_decides";

/**
 * Parses the response to the request `id`, whatever its HTTP status:
 * https://www.jsonrpc.org/specification#response_object. Strict, with two exceptions: an `error` of null next to a
 * result, and an error with `id` null, which a server sends when it couldn't parse the request. Throws a
 * `ProtocolTranslationError` that says what is wrong.
 */
export function readEnvelope(reply: AgentReply, id: string, protocol: string): Envelope {
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
        ...(error !== null && ownMember(body, "id") === id && { data: { error } }),
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
