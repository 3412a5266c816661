import type { JsonRpcError } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { ProtocolTranslationError } from "../../protocol/agent-failure.ts";
import {
  type AgentReply,
  agentWords,
  failure,
  failureOfStatus,
  isSuccessStatus,
  type Reading,
  readJson,
  success,
} from "../../protocol/protocol-adapter.ts";
import { failureOfError, failureOfState } from "./failures.ts";
import { outputOfMessage, outputOfTask } from "./output-of-task.ts";
import { textOfParts } from "./spoken.ts";

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

/**
 * Reads the result of `message/send` or `tasks/get`, a task or a message. Lenient: oddities become warnings, and an
 * unrecognized result is returned whole. A failure only when the task is neither done nor can be polled.
 * https://a2a-protocol.org/v0.3.0/specification/#713-sendmessagesuccessresponse-object
 */
function readResult(result: unknown, taskId: string, protocol: string): Reading {
  if (!isObject(result)) return failure(taskId, failureOfState(result, undefined), ["the result is not an object"]);
  const ended = { result, taskId, protocol };
  if (isMessage(result)) return succeeded(ended, outputOfMessage(result));
  const status = ownMember(result, "status");
  const state = typeof status === "string" ? status : ownMember(status, "state");
  const warnings = oddities(result);
  if (state === "completed") return succeeded(ended, outputOfTask(result), warnings);
  if (!workingStates.has(state))
    return { ...failure(taskId, failureOfState(result, state), warnings), ...questionOf(status) };
  const remoteId = ownMember(result, "id");
  if (typeof remoteId === "string" && remoteId !== "")
    return { state: "working", remoteId, warnings, ...progressOf(status) };
  throw new ProtocolTranslationError(
    "invalid_response",
    `The agent says that the task is ${String(state)}, but gives no id to poll it.`,
    { protocol, direction: "response", originalData: result },
  );
}

/** With `unknown` of A2A 0.3 and `TASK_STATE_UNSPECIFIED` of 1.0: a task whose state the agent cannot tell now has not ended. */
export const workingStates: ReadonlySet<unknown> = new Set(["submitted", "working", "unknown", "unspecified"]);

function succeeded(
  { result, taskId, protocol }: { readonly result: JsonObject; readonly taskId: string; readonly protocol: string },
  output: JsonObject | undefined,
  warnings: readonly string[] = [],
): Reading {
  if (output !== undefined) return success(taskId, output, warnings);
  const artifacts = ownMember(result, "artifacts") ?? [];
  if (Array.isArray(artifacts) && artifacts.length === 0)
    return success(taskId, result, [
      ...warnings,
      "the result has neither artifact nor message, so the output is the whole result",
    ]);
  const message = "The agent's artifacts can't be read, so the output is the whole result.";
  const detail = { protocol, direction: "response" as const, originalData: result };
  return {
    ...success(taskId, result, warnings),
    extractionError: new ProtocolTranslationError("invalid_response", message, detail),
  };
}

/** Returns the agent's progress: the text of its status message. */
function progressOf(status: unknown): { readonly progress?: string } {
  const progress = agentWords(textOfParts(ownList(ownMember(status, "message"), "parts")) ?? "");
  return progress === undefined ? {} : { progress };
}

/**
 * Returns the status's time, or its message's id, of a task that waits for the user. Some agents drop the message after
 * the answer.
 */
function questionOf(status: unknown): { readonly questionId?: string } {
  if (!questions.has(ownMember(status, "state"))) return {};
  const id = ownMember(status, "timestamp") ?? ownMember(ownMember(status, "message"), "messageId");
  return typeof id === "string" ? { questionId: id } : {};
}

const questions: ReadonlySet<unknown> = new Set(["input-required", "auth-required"]);

/** Recognizes a message by its kind. Agents that send only one kind of result omit it, but a task has a status. */
function isMessage(result: JsonObject): boolean {
  const kind = ownMember(result, "kind");
  return kind === "message" || (kind !== "task" && !Object.hasOwn(result, "status") && Object.hasOwn(result, "parts"));
}

function oddities(task: JsonObject): readonly string[] {
  const isList = (member: string): boolean => Array.isArray(ownMember(task, member) ?? []);
  const withoutParts = ownList(task, "artifacts").filter((artifact) => !Array.isArray(ownMember(artifact, "parts")));
  return [
    ...(typeof ownMember(task, "status") === "string" ? ["status is text instead of an object with a state"] : []),
    ...["artifacts", "history"].flatMap((member) => (isList(member) ? [] : [`${member} is not a list`])),
    ...(withoutParts.length > 0 ? [`artifacts without a list of parts: ${withoutParts.length}`] : []),
  ];
}
