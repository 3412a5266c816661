import type { AgentErrorKind, JsonRpcError } from "@crosszone/contracts";
import { isObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { AgentFailure } from "../../protocol/agent-failure.ts";
import { hitlRequestIn, wordsInData } from "../../protocol/hitl-extension.ts";
import { agentWords } from "../../protocol/protocol-adapter.ts";
import { outputOfTask } from "./output-of-task.ts";

/**
 * Converts a JSON-RPC error to a failure with its code, message and data. It is retryable when `data.retryable` is
 * true, as this project's zones send it, or when a server error comes with HTTP 429 or 5xx and `data.retryable` is not
 * false. https://www.jsonrpc.org/specification#error_object
 */
export function failureOfError({ code, message, data }: JsonRpcError, status: number): AgentFailure {
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

/** Internal errors and the range reserved for servers. */
const isServerError = (code: number): boolean => code === -32_603 || (code <= -32_000 && code >= -32_099);

function isRetryable(code: number, data: unknown, status: number): boolean {
  const retryable = ownMember(data, "retryable");
  if (typeof retryable === "boolean") return retryable;
  return (status >= 500 || status === 429) && isServerError(code);
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
export function failureOfState(result: unknown, state: unknown): AgentFailure {
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
    data: {
      state: state ?? null,
      ...(output ?? (meaning === undefined ? { result } : {})),
      ...(meaning !== undefined && typeof remoteId === "string" && remoteId !== "" && { task_id: remoteId }),
      ...(typeof words === "string" && !(kind === "task_failed" && isException(words)) && { agent_says: words }),
      ...(asks !== undefined && { asks }),
    },
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
