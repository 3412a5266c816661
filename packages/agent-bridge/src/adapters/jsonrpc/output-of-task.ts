import { isObject, ownList, ownMember, type JsonObject } from "../own-member.ts";
import { holdMoreThanText, textsOfParts } from "./text-of-parts.ts";

/**
 * What a task brought, from its artifacts and what the agent said:
 * - `text`: all text of all artifacts, lines apart
 * - `artifacts`: all of them as they came, with their data and files
 * - `response`: all text of the agent's last message, which is `status.message` or stands in `history`
 * - `message`: that message as it came, when it has more than text
 * - `response_source`: `history` when that message stands in the history; people are not shown what was said on the way
 * - `metadata`, `context_id`
 *
 * Every name here is ours, and what the agent names stays below it. Nothing when the agent brought neither artifact nor message.
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

/** The same of a message that is the whole result. */
export function outputOfMessage(message: JsonObject): JsonObject | undefined {
  const said = saidBy(message);
  return Object.keys(said).length === 0 ? undefined : { ...said, ...belongingsOf(message) };
}

/** What the agent said last: its status speaks after the history. */
function saidLast(task: JsonObject): JsonObject {
  const latest = ownMember(ownMember(task, "status"), "message");
  if (isSpoken(latest) && ownMember(latest, "role") !== "user") return saidBy(latest);
  const said = saidBy(ownList(task, "history").findLast((message) => ownMember(message, "role") === "agent"));
  return Object.keys(said).length === 0 ? said : { ...said, response_source: "history" };
}

/** Whether there is anything in it: some agents send an empty one along. */
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
