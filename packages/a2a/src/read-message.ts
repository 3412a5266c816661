import {
  defined,
  invalid,
  type JsonObject,
  memberOf,
  objectAt,
  optionalObject,
  optionalString,
  optionalStrings,
  stringAt,
  RpcError,
} from "./check.ts";
import { bareType, covers } from "./media-type.ts";
import type { Part, WireMessage } from "./types.ts";

/** The differences between the versions in a message. */
export interface MessageFormat {
  readonly role: string;
  readonly readPart: (part: JsonObject, field: string) => Part;
}

/** Reads the message of a request. Unknown members are ignored. Throws an `RpcError` that names the invalid member. */
export function readMessage(params: JsonObject, { role, readPart }: MessageFormat): WireMessage {
  const message = objectAt(memberOf(params, "message"), "message");
  const member = (name: string): [unknown, string] => [memberOf(message, name), `message.${name}`];
  const messageId = stringAt(...member("messageId"));
  if (message["role"] !== role) throw invalid("message.role", JSON.stringify(role));
  const { parts } = message;
  if (!Array.isArray(parts) || parts.length === 0) throw invalid("message.parts", "a list with at least one part");
  return defined({
    messageId,
    role: "ROLE_USER" as const,
    parts: parts.map((part, index) => {
      const field = `message.parts[${index}]`;
      return readPart(objectAt(part, field), field);
    }),
    contextId: optionalString(...member("contextId")),
    taskId: optionalString(...member("taskId")),
    metadata: optionalObject(...member("metadata")),
    extensions: optionalStrings(...member("extensions")),
    referenceTaskIds: optionalStrings(...member("referenceTaskIds")),
  });
}

/** Reads a part of A2A 1.0: exactly one of `text`, `raw`, `url` and `data`. */
export function readPartV1(part: JsonObject, field: string): Part {
  const content = contentOf(part, field);
  return defined({
    ...content,
    mediaType: optionalString(memberOf(part, "mediaType"), `${field}.mediaType`),
    filename: optionalString(memberOf(part, "filename"), `${field}.filename`),
    metadata: optionalObject(memberOf(part, "metadata"), `${field}.metadata`),
  });
}

function contentOf(part: JsonObject, field: string): Part {
  const names = ["text", "raw", "url"].filter((name) => memberOf(part, name) !== undefined);
  if (Object.hasOwn(part, "data")) names.push("data");
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) throw invalid(field, "a part with exactly one of text, raw, url and data");
  if (name === "data") return { data: part["data"] };
  const content = part[name];
  if (typeof content !== "string") throw invalid(`${field}.${name}`, "a string");
  if (name === "raw") checkBase64(content, `${field}.raw`);
  return { [name]: content };
}

/** Throws an `RpcError` for a text that is not base64. */
export function checkBase64(text: string, field: string): void {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw invalid(field, "base64");
}

/** Throws an `RpcError` for a part whose media type the agent doesn't accept. */
export function checkModes(parts: readonly Part[], modes: readonly string[]): void {
  for (const part of parts) {
    const type = mediaTypeOf(part);
    if (!modes.some((mode) => covers(mode, type)))
      throw new RpcError(
        "CONTENT_TYPE_NOT_SUPPORTED",
        `This agent does not accept ${type.slice(0, 80)}. It accepts ${modes.join(", ")}.`,
      );
  }
}

function mediaTypeOf({ mediaType, text, data }: Part): string {
  if (mediaType !== undefined) return bareType(mediaType);
  if (text !== undefined) return "text/plain";
  return data === undefined ? "application/octet-stream" : "application/json";
}
