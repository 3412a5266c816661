import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { ProtocolTranslationError } from "../../protocol/agent-failure.ts";
import { agentWords } from "../../protocol/failure-of-status.ts";
import { failure, type Reading, success } from "../../protocol/protocol-adapter.ts";
import { failureOfState } from "./failures.ts";
import { outputOfMessage, outputOfTask, textsOfParts } from "./output-of-task.ts";

/**
 * Reads the result of `message/send` or `tasks/get`, a task or a message. Lenient: oddities become warnings, and an
 * unrecognized result is returned whole. A failure only when the task is neither done nor can be polled.
 * https://a2a-protocol.org/v0.3.0/specification/#713-sendmessagesuccessresponse-object
 */
export function readResult(result: unknown, taskId: string, protocol: string): Reading {
  if (!isObject(result)) return failure(taskId, failureOfState(result, undefined), ["the result is not an object"]);
  if (isMessage(result)) return succeeded({ result, taskId, protocol, output: outputOfMessage(result), warnings: [] });
  const status = ownMember(result, "status");
  const state = typeof status === "string" ? status : ownMember(status, "state");
  const warnings = oddities(result);
  if (state === "completed") return succeeded({ result, taskId, protocol, output: outputOfTask(result), warnings });
  if (state !== "submitted" && state !== "working")
    return { ...failure(taskId, failureOfState(result, state), warnings), ...questionOf(status) };
  const remoteId = ownMember(result, "id");
  if (typeof remoteId === "string" && remoteId !== "")
    return { state: "working", remoteId, warnings, ...progressOf(status) };
  throw new ProtocolTranslationError(
    "invalid_response",
    `The agent says that the task is ${state}, but gives no id to poll it.`,
    { protocol, direction: "response", originalData: result },
  );
}

interface Succeeded {
  readonly result: JsonObject;
  readonly taskId: string;
  readonly protocol: string;
  readonly output: JsonObject | undefined;
  readonly warnings: readonly string[];
}

function succeeded({ result, taskId, protocol, output, warnings }: Succeeded): Reading {
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
  const progress = agentWords(textsOfParts(ownList(ownMember(status, "message"), "parts")).join("\n"));
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
