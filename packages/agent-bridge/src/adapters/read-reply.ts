import { defined } from "@crosszone/a2a";
import type { AgentErrorKind, JsonRpcError } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { hitlRequestIn } from "../protocol/hitl-extension.ts";
import {
  AgentFailure,
  type AgentReply,
  agentWords,
  failedWith,
  failureOfStatus,
  isSuccessStatus,
  ProtocolTranslationError,
  type Reading,
  readReplyJson,
  success,
} from "../protocol/protocol-adapter.ts";
import { wordsInData } from "../protocol/waiting-calls.ts";
import { outputOfMessage, outputOfTask, textOfParts } from "./output-of-task.ts";

/**
 * Converts a JSON-RPC error to a failure with its code, message and data. It is retryable when `data.retryable` is
 * true, as this project's zones send it, or when a server error comes with HTTP 429 or 5xx and `data.retryable` is not
 * false. https://www.jsonrpc.org/specification#error_object
 */
function failureOfError({ code, message, data }: JsonRpcError, status: number): AgentFailure {
  const retryAfterMs = ownMember(data, "retry_after_ms");
  const said = agentWords(message) ?? "it gives no reason";
  const because = reasonOf(data);
  const kind = isRetryable(code, data, status) ? "rpc_unavailable" : "rpc_error";
  return new AgentFailure(
    kind,
    `The agent answered with JSON-RPC error ${code}: ${said}${because === undefined ? "" : ` (${because})`}`,
    { code, data, retryAfterMs: typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : undefined },
  );
}

function isRetryable(code: number, data: unknown, status: number): boolean {
  const retryable = ownMember(data, "retryable");
  if (typeof retryable === "boolean") return retryable;
  // Internal errors and the range reserved for servers.
  const isOfServer = code === -32_603 || (code <= -32_000 && code >= -32_099);
  return (status >= 500 || status === 429) && isOfServer;
}

/**
 * Returns the `reason` of the first `ErrorInfo` in the data, as agents of A2A 1.0 send it. https://google.aip.dev/193
 */
function reasonOf(data: unknown): string | undefined {
  const details: readonly unknown[] = Array.isArray(data) ? data : [];
  return agentWords(details.map((detail) => ownMember(detail, "reason")).find((reason) => typeof reason === "string"));
}

/**
 * States that end a task without success. `input-required` and `auth-required` end this task; the next message can
 * continue the agent's.
 */
const meanings: ReadonlyMap<unknown, { readonly kind: AgentErrorKind; readonly says: string }> = new Map([
  ["failed", { kind: "task_failed", says: "The agent says that the task failed" }],
  ["canceled", { kind: "task_canceled", says: "The agent canceled the task" }],
  ["rejected", { kind: "task_rejected", says: "The agent refuses to do the task" }],
  ["input-required", { kind: "input_required", says: "The agent needs more information" }],
  ["auth-required", { kind: "auth_required", says: "The agent needs an authorization" }],
]);

/**
 * Returns the failure of an unsuccessful result, by its state. `data` has the state, the output if any, the agent's id
 * of the task (`task_id`), its message (`agent_says`) and what it asks people in a structured form (`asks`). For a result without state
 * and output, `data.result` is the whole result.
 */
function failureOfState(result: unknown, state: unknown): AgentFailure {
  const output = isObject(result) ? outputOfTask(result) : undefined;
  const meaning = meanings.get(state);
  const { kind, says } = meaning ?? { kind: "task_state_unknown", says: unknownState(state) };
  const message = ownMember(ownMember(result, "status"), "message");
  const inData = ownList(message, "parts").map((part) => wordsInData(ownMember(part, "data")).words);
  const response = ownMember(output, "response_source") === undefined && ownMember(output, "response");
  const words = [response, ...inData, ownMember(output, "text")].find(
    (one) => typeof one === "string" && /\S/.test(one),
  );
  const said = agentWords(words);
  const remoteId = ownMember(result, "id");
  const asks = state === "input-required" ? hitlRequestIn(message) : undefined;
  return new AgentFailure(kind, said === undefined ? `${says}.` : `${says}: ${said}`, {
    data: defined({
      state: state ?? null,
      ...output,
      result: output === undefined && meaning === undefined ? result : undefined,
      task_id: meaning !== undefined && typeof remoteId === "string" && remoteId !== "" ? remoteId : undefined,
      agent_says: typeof words === "string" && !(kind === "task_failed" && isException(words)) ? words : undefined,
      asks,
    }),
  });
}

/** Whether the words of a failed task are those of an exception: they are for the agent's owner, who reads the failure's message. */
const isException = (words: string): boolean => exception.test(words.trim().slice(0, 2_000));

/** `Agent execution error: …` of @a2a-js/sdk, `Traceback (most …`, `openai.RateLimitError: …`, `(…, NotFoundError('…'))`, and lines of a stack. */
const exception =
  /^(Agent execution (error|failed)\b|Traceback \(most|Error code: \d{3}\b|([\w$]+\.)*\w+(Error|Exception)\b\s*(:|\(|$))|\w(Error|Exception)\(["']|\n +(at \S.*:\d+|File ".*", line \d+)/;

function unknownState(state: unknown): string {
  if (state === undefined) return "The agent's answer has no task state: status.state is missing";
  return `The agent's answer has an unknown task state, ${agentWords(JSON.stringify(state)) ?? ""}`;
}

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
  if (envelope === "status_decides") return failedWith(failureOfStatus(reply));
  if ("error" in envelope) return failedWith(failureOfError(envelope.error, reply.status));
  return readResult(normalize === undefined ? envelope.result : normalize(envelope.result), protocol);
}

/** The content of a JSON-RPC response; `status_decides` when the response is not JSON-RPC. */
type Envelope = { readonly result: unknown } | { readonly error: JsonRpcError } | "status_decides";

/**
 * Parses the response to the request `id`, whatever its HTTP status:
 * https://www.jsonrpc.org/specification#response_object. Strict, with two exceptions: an `error` of null next to a
 * result, or the reverse, and an error with `id` null, which a server sends when it couldn't parse the request. Throws a
 * `ProtocolTranslationError` that says what is wrong.
 */
function readEnvelope(reply: AgentReply, id: string, protocol: string): Envelope {
  const isSuccess = isSuccessStatus(reply.status);
  let body: unknown;
  try {
    body = readReplyJson(reply, protocol);
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
  const hasResult = Object.hasOwn(body, "result") && !(hasError && body["result"] === null);
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
function readResult(result: unknown, protocol: string): Reading {
  if (!isObject(result)) return failedWith(failureOfState(result, undefined), ["the result is not an object"]);
  if (isMessage(result)) return succeeded(result, protocol, { output: outputOfMessage(result) });
  const status = ownMember(result, "status");
  const said = typeof status === "string" ? status : ownMember(status, "state");
  const state = isUnsaid(result) ? "unspecified" : said;
  const warnings = oddities(result, state);
  if (state === "completed") return succeeded(result, protocol, { output: outputOfTask(result), warnings });
  if (!workingStates.has(state))
    return { ...failedWith(failureOfState(result, state), warnings), questionId: questionOf(status) };
  const remoteId = ownMember(result, "id");
  if (typeof remoteId === "string" && remoteId !== "")
    return { state: "working", remoteId, warnings, progress: progressOf(status) };
  throw new ProtocolTranslationError(
    "invalid_response",
    `The agent says that the task is ${String(state)}, but gives no id to poll it.`,
    { protocol, direction: "response", originalData: result },
  );
}

/** Returns whether a task has no status: JSON of protocol buffers leaves a default out. With artifacts, it would be polled for ever. */
const isUnsaid = (task: JsonObject): boolean =>
  (task["status"] ?? null) === null &&
  (task["kind"] === "task" || typeof task["contextId"] === "string") &&
  ownList(task, "artifacts").length === 0 &&
  typeof task["id"] === "string";

/** With `unknown` of A2A 0.3 and `TASK_STATE_UNSPECIFIED` of 1.0: a task whose state the agent cannot tell now has not ended. */
export const workingStates: ReadonlySet<unknown> = new Set(["submitted", "working", "unknown", "unspecified"]);

function succeeded(
  result: JsonObject,
  protocol: string,
  { output, warnings = [] }: { readonly output: JsonObject | undefined; readonly warnings?: readonly string[] },
): Reading {
  if (output !== undefined) return success(output, warnings);
  const artifacts = ownMember(result, "artifacts") ?? [];
  if (Array.isArray(artifacts) && artifacts.length === 0)
    return success(result, [
      ...warnings,
      "the result has neither artifact nor message, so the output is the whole result",
    ]);
  const message = "The agent's artifacts can't be read, so the output is the whole result.";
  const detail = { protocol, direction: "response" as const, originalData: result };
  return {
    ...success(result, warnings),
    extractionError: new ProtocolTranslationError("invalid_response", message, detail),
  };
}

/** Returns the agent's progress: the text of its status message. */
const progressOf = (status: unknown): string | undefined =>
  agentWords(textOfParts(ownList(ownMember(status, "message"), "parts")) ?? "");

/**
 * Returns the status's time, or its message's id, of a task that waits for the user. Some agents drop the message after
 * the answer.
 */
function questionOf(status: unknown): string | undefined {
  if (!questions.has(ownMember(status, "state"))) return undefined;
  const id = ownMember(status, "timestamp") ?? ownMember(ownMember(status, "message"), "messageId");
  return typeof id === "string" ? id : undefined;
}

const questions: ReadonlySet<unknown> = new Set(["input-required", "auth-required"]);

/** Recognizes a message by its kind. Agents that send only one kind of result omit it, but a task has a status. */
function isMessage(result: JsonObject): boolean {
  const kind = ownMember(result, "kind");
  return kind === "message" || (kind !== "task" && !Object.hasOwn(result, "status") && Object.hasOwn(result, "parts"));
}

/** Returns what is odd about a task. Elements are counted at its end: while a stream grows, that would cost quadratic time. */
function oddities(task: JsonObject, state: unknown): readonly string[] {
  const isList = (member: string): boolean => Array.isArray(ownMember(task, member) ?? []);
  const isGrowing = workingStates.has(state);
  const artifacts = isGrowing ? [] : ownList(task, "artifacts");
  const withoutParts = artifacts.filter((artifact) => isObject(artifact) && !Array.isArray(artifact["parts"]));
  const said = [...ownList(task, "history"), ownMember(ownMember(task, "status"), "message") ?? {}];
  const holders = isGrowing ? [] : [...artifacts, ...said];
  const strange = [...holders, ...holders.flatMap((holder) => ownList(holder, "parts"))].filter(
    (one) => !isObject(one),
  );
  return [
    typeof ownMember(task, "status") === "string" && "status is text instead of an object with a state",
    !isList("artifacts") && "artifacts is not a list",
    !isList("history") && "history is not a list",
    withoutParts.length > 0 && `artifacts without a list of parts: ${withoutParts.length}`,
    strange.length > 0 && `artifacts, messages or parts that are no objects: ${strange.length}`,
  ].filter((oddity) => oddity !== false);
}
