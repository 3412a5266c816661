import type { Dialect } from "../a2a/find-endpoint.ts";
import { partsOf, type Payload } from "../a2a/scenarios.ts";
import type { ByProtocol } from "../check.ts";
import { isObject, type JsonObject, objectOf, quoted, stringOf } from "../wire.ts";

/** Returns the member that a task lacks. */
export function memberProblem(task: JsonObject, { version }: Dialect): string | undefined {
  if (stringOf(task["id"]) === undefined) return "id";
  if (!isObject(task["status"])) return "status";
  if (stringOf(task["status"]["state"]) === undefined) return "status.state";
  if (version === "0.3" && stringOf(task["contextId"]) === undefined) return "contextId";
  if (version === "0.3" && task["kind"] !== "task") return '"kind": "task"';
  return undefined;
}

export function messageProblem(message: JsonObject, { version, roles }: Dialect): string | undefined {
  if (stringOf(message["messageId"]) === undefined) return "no messageId";
  if (![roles.agent, roles.user].includes(message["role"] as string)) return `the role ${quoted(message["role"])}`;
  if (partsOf(message).length === 0) return "no part";
  if (version === "0.3" && message["kind"] !== "message") return 'no "kind": "message"';
  return undefined;
}

export function contentProblem(part: JsonObject, { version }: Dialect): string | undefined {
  return version === "1.0" ? problemOfOne(part) : problemOfKind(part);
}

function problemOfOne(part: JsonObject): string | undefined {
  const contents = ["text", "raw", "url", "data"].filter((member) => member in part);
  if (contents.length !== 1) return `has ${contents.length === 0 ? "no content" : contents.join(" and ")}`;
  const [content = ""] = contents;
  if (content !== "data" && typeof part[content] !== "string") return `has a ${content} that is not a string`;
  return content === "raw" && !isBase64(part["raw"]) ? "has a raw that is not base64" : undefined;
}

function problemOfKind({ kind, text, data, file }: JsonObject): string | undefined {
  switch (kind) {
    case "text":
      return typeof text === "string" ? undefined : "of kind text has no text";
    case "data":
      return isObject(data) ? undefined : "of kind data has no object in data";
    case "file":
      return problemOfFile(objectOf(file));
    default:
      return `has the kind ${quoted(kind)}`;
  }
}

function problemOfFile(file: JsonObject | undefined): string | undefined {
  const contents = ["bytes", "uri"].filter((member) => typeof file?.[member] === "string");
  if (contents.length !== 1) return "of kind file has not exactly one of file.bytes and file.uri";
  return contents[0] === "bytes" && !isBase64(file?.["bytes"]) ? "has file.bytes that are not base64" : undefined;
}

/** Standard or URL-safe, with or without padding: ProtoJSON allows all of them. */
const isBase64 = (value: unknown): boolean => typeof value === "string" && /^[\w+/-]*={0,2}$/.test(value);

/** Names of the specification as a serializer without its JSON names writes them. */
const snakeNames = ["context_id", "task_id", "message_id", "artifact_id", "media_type", "mime_type", "last_chunk"];

/** Returns a member in snake case, wherever it is; metadata and data are the agent's own. */
export function snakeMember(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(snakeMember).find((name) => name !== undefined);
  if (!isObject(value)) return undefined;
  const own = snakeNames.find((name) => name in value);
  if (own !== undefined) return own;
  const inner = Object.entries(value).filter(([name]) => name !== "metadata" && name !== "data");
  return inner.map(([, member]) => snakeMember(member)).find((name) => name !== undefined);
}

export function eventProblem(payload: Payload | undefined, dialect: Dialect): string | undefined {
  if (!payload) return "not exactly one of task, message, status update and artifact update";
  const { kind, value } = payload;
  if (kind === "message") return messageProblem(value, dialect);
  if (kind === "task") {
    const member = memberProblem(value, dialect);
    return member && `a task without ${member}`;
  }
  const missing = ["taskId", "contextId"].find((id) => stringOf(value[id]) === undefined);
  if (missing !== undefined) return `no ${missing}`;
  if (kind === "artifactUpdate") return artifactProblem(objectOf(value["artifact"]));
  if (dialect.version === "0.3" && typeof value["final"] !== "boolean") return "no final";
  const state = objectOf(value["status"])?.["state"];
  return dialect.stateWords.includes(state as string) ? undefined : `the state ${quoted(state)}`;
}

function artifactProblem(artifact: JsonObject | undefined): string | undefined {
  if (!artifact) return "no artifact";
  if (stringOf(artifact["artifactId"]) === undefined) return "an artifact without artifactId";
  return partsOf(artifact).length === 0 ? "an artifact without a part" : undefined;
}

/** A section of the A2A 1.0 specification. */
const v1 = (anchor: string): string => `https://a2a-protocol.org/v1.0.0/specification/#${anchor}`;

/** A section of the A2A 0.3 specification. */
const v03 = (anchor: string): string => `https://a2a-protocol.org/v0.3.0/specification/#${anchor}`;

const ours = "https://github.com/crosszone/crosszone/blob/main/docs/agents.md";

/** A rule that both versions of A2A have. */
export const a2a = (anchor1: string, anchor03: string): ByProtocol<string> => ({
  "a2a-1.0": v1(anchor1),
  "jsonrpc-2.0": v03(anchor03),
});

/** A rule of A2A 1.0 only. */
export const a2a1 = (anchor: string): ByProtocol<string> => ({ "a2a-1.0": v1(anchor) });

/** A rule of A2A 0.3 only. */
export const a2a03 = (anchor: string): ByProtocol<string> => ({ "jsonrpc-2.0": v03(anchor) });

const both = (url: string): ByProtocol<string> => ({ "a2a-1.0": url, "jsonrpc-2.0": url });

/** A rule of JSON-RPC 2.0, on which both versions are built. */
export const jsonRpc = (anchor: string): ByProtocol<string> => both(`https://www.jsonrpc.org/specification#${anchor}`);

/** What Crosszone expects beyond the specifications: the source of a hint. */
export const crosszone = (anchor: string): ByProtocol<string> => both(`${ours}#${anchor}`);

/** What Crosszone expects beyond A2A 0.3 only. */
export const crosszone03 = (anchor: string): ByProtocol<string> => ({ "jsonrpc-2.0": `${ours}#${anchor}` });

export const simple: ByProtocol<string> = { "simple-a2a": `${ours}#simple-a2a` };
