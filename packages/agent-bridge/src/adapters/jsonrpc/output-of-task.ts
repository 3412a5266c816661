import { type Part, partOfOthers } from "@crosszone/a2a";
import { isOthersContent } from "@crosszone/contracts";
import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { labelOfOthers } from "@crosszone/service-kit/text";
import { hitlUri } from "../../protocol/hitl-extension.ts";
import { kindOfPart, saysAnything, textOfParts } from "./spoken.ts";

/** The member of a message's, artifact's or task's metadata with questions that the person may ask next, a list of strings. */
export const followUpsKey = "https://crosszone.dev/follow-ups";

/**
 * Returns a task's output, from its artifacts and the agent's last message; undefined when it has neither:
 * - `text`: all text of all artifacts, separated by line breaks
 * - `artifacts`: all artifacts unchanged, with their data and files
 * - `response`: all text of the agent's last message, from `status.message` or `history`
 * - `message`: that message unchanged, when it has more than text, or follow-ups
 * - `response_source`: `history` when the message is older than the user's last one: it answers an earlier message
 * - `metadata`, `context_id`
 *
 * All member names are Crosszone's. Names from the agent appear only inside them.
 */
export function outputOfTask(task: JsonObject): JsonObject | undefined {
  const artifacts = ownList(task, "artifacts");
  const text = textOfParts(artifacts.flatMap((artifact) => ownList(artifact, "parts")));
  const brought = {
    ...(text !== undefined && { text }),
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
  if (saysAnything(latest) && ownMember(latest, "role") !== "user") return saidBy(latest);
  const said = saidBy(
    ownList(task, "history").findLast((one) => ownMember(one, "role") === "agent" && saysAnything(one)),
  );
  const isOlder = Object.keys(said).length > 0 && !saysAfterUser(task);
  return { ...said, ...(isOlder && { response_source: "history" }) };
}

function saidBy(message: unknown): JsonObject {
  const parts = ownList(message, "parts");
  const response = textOfParts(parts);
  const hasFollowUps = ownMember(ownMember(message, "metadata"), followUpsKey) !== undefined;
  return {
    ...(response !== undefined && { response }),
    ...((holdMoreThanText(parts) || hasFollowUps) && { message }),
  };
}

function belongingsOf(result: JsonObject): JsonObject {
  const metadata = ownMember(result, "metadata");
  const contextId = ownMember(result, "contextId");
  return { ...(isObject(metadata) && { metadata }), ...(typeof contextId === "string" && { context_id: contextId }) };
}

/** A message's text, and the other members of the input, which are no words of a person. */
export interface MessageInput {
  readonly text: string;
  /** Content of others in the metadata as labelled texts: an agent that reads only text gets the words of a forwarded message too. */
  readonly others?: readonly Part[];
  readonly metadata?: JsonObject;
  /** The extension of A2A that the metadata belongs to. */
  readonly extensions?: [typeof hitlUri];
}

/**
 * Converts any input of a task. For an object with `text`, or else `query`, that member is the text, even if empty, and the other members are
 * the message's metadata. Any other object, list or number is text as JSON; a string is used as is.
 */
export function messageInput(input: unknown): MessageInput {
  if (!isObject(input)) return { text: textOf(input) };
  const asked = ["text", "query"].find((name) => Object.hasOwn(input, name));
  if (asked === undefined) return { text: textOf(input) };
  const { [asked]: first, ...metadata } = input;
  return {
    text: textOf(first),
    others: ownList(metadata, "others").flatMap((content) =>
      isOthersContent(content) ? [partOfOthers(content, labelOfOthers(content))] : [],
    ),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.hasOwn(metadata, hitlUri) && { extensions: [hitlUri] }),
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));

/** Adds a part. A text continues the text before it, so that a stream of pieces is one text, and its parts stay few. */
export function addPart(parts: JsonObject[], part: unknown, separator = ""): void {
  const before = parts.at(-1);
  const text = ownMember(part, "text");
  if (!isObject(part)) return;
  if (before === undefined || typeof text !== "string" || holdMoreThanText([before, part])) parts.push({ ...part });
  else parts[parts.length - 1] = { ...before, text: `${String(before["text"])}${separator}${text}` };
}

/** Whether any part is more than text. */
function holdMoreThanText(parts: readonly unknown[]): boolean {
  return parts.some((part) => isObject(part) && kindOfPart(part) !== "text");
}

/**
 * What an agent says in a stream outside of artifacts. Some agents send one message per token, with the same id: their text is joined
 * without a separator. A message with another id begins a new paragraph.
 */
export class StreamedWords {
  /** The messages as artifacts that grow, for a preview. */
  readonly shown: (JsonObject & { readonly parts: unknown[] })[] = [];
  readonly #parts: JsonObject[] = [];
  #last: unknown;
  #joined: JsonObject | undefined;

  /** Adds a message of the agent, and returns all messages so far as one. */
  add(message: JsonObject): JsonObject {
    const id = ownMember(message, "messageId");
    const isNew = this.#joined !== undefined && id !== undefined && id !== this.#joined["messageId"];
    const added = ownList(message, "parts");
    for (const [index, part] of added.entries()) addPart(this.#parts, part, isNew && index === 0 ? "\n\n" : "");
    if (isNew || this.shown.length === 0) this.shown.push({ parts: [] });
    this.shown.at(-1)?.parts.push(...added);
    this.#last = this.#joined = { ...message, parts: this.#parts };
    return this.#joined;
  }

  /** Notes a status message: the last one is the answer when nothing else comes. */
  note(message: unknown): void {
    if (saysAnything(message) && ownMember(message, "role") !== "user") this.#last = message;
  }

  /** Returns the task with the last words in its history if it ends, or asks, without words; otherwise the task itself. */
  answering(task: JsonObject): JsonObject {
    const isOver = /^(?:completed|input-required)$/.test(String(ownMember(task["status"], "state")));
    if (this.#last === undefined || !isOver) return task;
    // Read only at the end: a long stream would cost quadratic time.
    if (ownList(task, "artifacts").some(saysAnything) || saysAfterUser(task)) return task;
    return { ...task, history: [...ownList(task, "history"), this.#last] };
  }
}

/** Returns whether the agent's last message is newer than the user's. */
function saysAfterUser(task: JsonObject): boolean {
  const { message } = isObject(task["status"]) ? task["status"] : {};
  const said = [...ownList(task, "history"), message].filter(saysAnything);
  return said.length > 0 && ownMember(said.at(-1), "role") !== "user";
}
