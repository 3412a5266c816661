import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { holdMoreThanText, textsOfParts } from "./parts.ts";
import { saysAfterUser } from "./streamed-words.ts";

/**
 * Returns a task's output, from its artifacts and the agent's last message; undefined when it has neither:
 * - `text`: all text of all artifacts, separated by line breaks
 * - `artifacts`: all artifacts unchanged, with their data and files
 * - `response`: all text of the agent's last message, from `status.message` or `history`
 * - `message`: that message unchanged, when it has more than text
 * - `response_source`: `history` when the message is older than the user's last one: it answers an earlier message
 * - `metadata`, `context_id`
 *
 * All member names are Crosszone's. Names from the agent appear only inside them.
 */
export function outputOfTask(task: JsonObject): JsonObject | undefined {
  const artifacts = ownList(task, "artifacts");
  const texts = artifacts.flatMap((artifact) => textsOfParts(ownList(artifact, "parts")));
  const brought = {
    ...(texts.length > 0 && { text: texts.join("\n") }),
    ...(artifacts.some(isObject) && { artifacts }),
    ...saidLast(task),
  };
  return Object.keys(brought).length === 0 ? undefined : { ...brought, ...belongingsOf(task) };
}

/** Returns the same for a message that is the whole result. */
export function outputOfMessage(message: JsonObject): JsonObject | undefined {
  const said = saidBy(message);
  return Object.keys(said).length === 0 ? undefined : { ...said, ...belongingsOf(message) };
}

/** Returns the agent's last message. Its status is newer than the history. Some agents move their last words there. */
function saidLast(task: JsonObject): JsonObject {
  const latest = ownMember(ownMember(task, "status"), "message");
  if (isSpoken(latest) && ownMember(latest, "role") !== "user") return saidBy(latest);
  const said = saidBy(ownList(task, "history").findLast((message) => ownMember(message, "role") === "agent"));
  const isOlder = Object.keys(said).length > 0 && !saysAfterUser(task);
  return { ...said, ...(isOlder && { response_source: "history" }) };
}

/** Whether a message has content. Some agents send an empty one. */
function isSpoken(message: unknown): boolean {
  return ownList(message, "parts").some(isObject);
}

function saidBy(message: unknown): JsonObject {
  const parts = ownList(message, "parts");
  const texts = textsOfParts(parts);
  return { ...(texts.length > 0 && { response: texts.join("\n") }), ...(holdMoreThanText(parts) && { message }) };
}

function belongingsOf(result: JsonObject): JsonObject {
  const metadata = ownMember(result, "metadata");
  const contextId = ownMember(result, "contextId");
  return { ...(isObject(metadata) && { metadata }), ...(typeof contextId === "string" && { context_id: contextId }) };
}
