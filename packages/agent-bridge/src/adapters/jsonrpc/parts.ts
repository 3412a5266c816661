import type { A2AFilePart, A2ATextPart, AgentTaskFile } from "@crosszone/contracts";
import { isObject, type JsonObject, ownMember } from "@crosszone/service-kit/json";

/** A message's text part, and the other members of the input, which are no words of a person. */
export interface MessageInput {
  readonly part: A2ATextPart;
  readonly metadata?: JsonObject;
}

/**
 * Converts any input of a task. For an object with `text`, or else `query`, that member is the text, even if empty, and the other members are
 * the message's metadata. Any other object, list or number is text as JSON; a string is used as is.
 */
export function messageInput(input: unknown): MessageInput {
  if (!isObject(input)) return { part: textPart(input) };
  const asked = ["text", "query"].find((name) => Object.hasOwn(input, name));
  if (asked === undefined) return { part: textPart(input) };
  const { [asked]: first, ...metadata } = input;
  return { part: textPart(first), ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function textPart(value: unknown): A2ATextPart {
  return { kind: "text", text: typeof value === "string" ? value : (JSON.stringify(value) ?? "null") };
}

/**
 * Returns the files of a task as A2A 0.3 parts. A file with neither bytes nor a link has no part: the text names it.
 */
export function fileParts(files: readonly AgentTaskFile[] = []): readonly A2AFilePart[] {
  return files.flatMap(({ name, media_type: mimeType, bytes, url }): A2AFilePart[] => {
    if (bytes !== undefined) return [{ kind: "file", file: { name, mimeType, bytes } }];
    return url === undefined ? [] : [{ kind: "file", file: { name, mimeType, uri: url } }];
  });
}

/**
 * Returns the texts of all text parts, in order. Older agents call a part's kind `type`. A part with neither is a text
 * part if it has a text.
 */
export function textsOfParts(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => {
    const text = ownMember(part, "text");
    return typeof text === "string" && isTextPart(part) ? [text] : [];
  });
}

/** Adds a part. A text continues the text before it, so that a stream of pieces is one text, and its parts stay few. */
export function addPart(parts: JsonObject[], part: unknown, separator = ""): void {
  const before = parts.at(-1);
  const text = ownMember(part, "text");
  if (!isObject(part)) return;
  if (before === undefined || typeof text !== "string" || holdMoreThanText([before, part])) parts.push({ ...part });
  else parts[parts.length - 1] = { ...before, text: `${String(before["text"])}${separator}${text}` };
}

/** Whether any part is more than text. */
export function holdMoreThanText(parts: readonly unknown[]): boolean {
  return parts.some((part) => isObject(part) && !(isTextPart(part) && typeof part["text"] === "string"));
}

function isTextPart(part: unknown): boolean {
  return (ownMember(part, "kind") ?? ownMember(part, "type") ?? "text") === "text";
}
