import { agentWords } from "../agent-words.ts";
import { failure, success } from "../normalised.ts";
import { isObject, ownList, ownMember, type JsonObject } from "../own-member.ts";
import type { Reading } from "../protocol-adapter.ts";
import { ProtocolTranslationError } from "../protocol-translation-error.ts";
import { failureOfState } from "./failure-of-state.ts";
import { outputOfMessage, outputOfTask } from "./output-of-task.ts";
import { textsOfParts } from "./text-of-parts.ts";

/**
 * Reads the result of `message/send` or `tasks/get`, a task or a message. Lenient: what is odd is a warning, and what cannot be told
 * apart is given whole, never as nothing. Only a task that is neither done nor to be asked for again is a failure.
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
    `The agent says that the task is ${state}, and gives no id to ask for it by.`,
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
      "there is neither artifact nor message, the output is the whole result",
    ]);
  const message = "The agent's artifacts cannot be read, the output is the whole result.";
  const detail = { protocol, direction: "response" as const, originalData: result };
  return {
    ...success(taskId, result, warnings),
    extractionError: new ProtocolTranslationError("invalid_response", message, detail),
  };
}

/** What the agent says while it works: the text of its status message. */
function progressOf(status: unknown): { readonly progress?: string } {
  const progress = agentWords(textsOfParts(ownList(ownMember(status, "message"), "parts")).join("\n"));
  return progress === undefined ? {} : { progress };
}

/** The time of the status, or the id of its message, of a task that waits for the user. Some agents drop the message once it is answered. */
function questionOf(status: unknown): { readonly questionId?: string } {
  if (!questions.has(ownMember(status, "state"))) return {};
  const id = ownMember(status, "timestamp") ?? ownMember(ownMember(status, "message"), "messageId");
  return typeof id === "string" ? { questionId: id } : {};
}

const questions: ReadonlySet<unknown> = new Set(["input-required", "auth-required"]);

/** By its kind; peers that know one kind of result leave that out, and a task has a status. */
function isMessage(result: JsonObject): boolean {
  const kind = ownMember(result, "kind");
  return kind === "message" || (kind !== "task" && !Object.hasOwn(result, "status") && Object.hasOwn(result, "parts"));
}

function oddities(task: JsonObject): readonly string[] {
  const isList = (member: string): boolean => Array.isArray(ownMember(task, member) ?? []);
  const withoutParts = ownList(task, "artifacts").filter((artifact) => !Array.isArray(ownMember(artifact, "parts")));
  return [
    ...(typeof ownMember(task, "status") === "string" ? ["status is text, it should be an object with a state"] : []),
    ...["artifacts", "history"].flatMap((member) => (isList(member) ? [] : [`${member} is not a list`])),
    ...(withoutParts.length > 0 ? [`artifacts have no list of parts: ${withoutParts.length}`] : []),
  ];
}
