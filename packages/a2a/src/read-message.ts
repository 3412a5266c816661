import {
  defined,
  invalid,
  isObject,
  type JsonObject,
  memberOf,
  objectAt,
  optionalObject,
  optionalString,
  optionalStrings,
  RpcError,
  stringAt,
} from "./check.ts";
import type { Part, WireMessage } from "./types.ts";

/** Returns a media type in lower case, without parameters. */
const bareType = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether a mode, such as `text/plain` or `image/*`, covers a media type. */
function covers(mode: string, mediaType: string): boolean {
  const [wanted, type] = [bareType(mode), bareType(mediaType)];
  return wanted === type || wanted === "*/*" || (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1)));
}

/** Whether an agent accepts a file. `file` and `*` are modes of agents before A2A 0.2.5; `application/octet-stream` is any file. */
export const acceptsFile = (modes: readonly string[], mediaType: string): boolean =>
  modes.some((mode) => ["file", "*", "application/octet-stream"].includes(bareType(mode)) || covers(mode, mediaType));

/**
 * Reads the message of a request. Versions differ in the role and in the parts. Unknown members are ignored. Throws an `RpcError` that names
 * the invalid member.
 */
export function readWireMessage(
  params: JsonObject,
  role: string,
  readPart: (part: JsonObject, field: string) => Part,
): WireMessage {
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

/** The member of a text part's metadata that says that others wrote the part, and who. */
const othersKey = "https://crosszone.dev/others";

/**
 * Returns content of others as a text part. Its first line is the label, one line, so that an agent that reads only text gets the words and
 * knows whose they are.
 */
export function partOfOthers<T extends { readonly text: string }>({ text, ...about }: T, label: string): Part {
  return { text: `${label}\n${text}`, metadata: { [othersKey]: about } };
}

/** What a part says of others' content. */
const members = ["kind", "author", "channel", "ts", "url"] as const;
type ContentOfPart = Readonly<Record<"kind" | "text", string> & Partial<Record<(typeof members)[number], string>>>;

/** Returns the content of others that a part was made from, by names and without ids; undefined for any other part. */
export function othersIn({ text, metadata }: Part): ContentOfPart | undefined {
  const about = memberOf(metadata, othersKey);
  if (text === undefined || about === undefined) return undefined;
  const names = members.filter((name) => typeof memberOf(about, name) === "string");
  const said = isObject(about) ? Object.fromEntries(names.map((name) => [name, about[name]])) : {};
  return { kind: "unknown", ...said, text: text.slice(text.indexOf("\n") + 1) };
}
