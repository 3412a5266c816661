import {
  defined,
  invalid,
  isObject,
  memberOf,
  objectAt,
  optionalObject,
  optionalString,
  stringAt,
  type JsonObject,
} from "./check.ts";
import { checkBase64 } from "./read-message.ts";
import type { Part, StreamEvent } from "./types.ts";

/** Reads a part of A2A 0.3, which has a `kind`. */
export function readPartV03(part: JsonObject, field: string): Part {
  const metadata = optionalObject(memberOf(part, "metadata"), `${field}.metadata`);
  const { kind } = part;
  if (kind === "text") {
    const { text } = part;
    if (typeof text !== "string") throw invalid(`${field}.text`, "a string");
    return defined({ text, metadata });
  }
  if (kind === "data") {
    if (!Object.hasOwn(part, "data")) throw invalid(`${field}.data`, "present");
    return defined({ data: part["data"], metadata });
  }
  if (kind === "file") return defined({ ...readFile(part, field), metadata });
  throw invalid(`${field}.kind`, '"text", "file" or "data"');
}

function readFile(part: JsonObject, field: string): Part {
  const file = objectAt(memberOf(part, "file"), `${field}.file`);
  const bytes = memberOf(file, "bytes");
  const uri = memberOf(file, "uri");
  if ((bytes === undefined) === (uri === undefined))
    throw invalid(`${field}.file`, "a file with exactly one of bytes and uri");
  if (bytes !== undefined) {
    if (typeof bytes !== "string") throw invalid(`${field}.file.bytes`, "a string");
    checkBase64(bytes, `${field}.file.bytes`);
  }
  return defined({
    raw: bytes,
    url: uri === undefined ? undefined : stringAt(uri, `${field}.file.uri`),
    mediaType: optionalString(memberOf(file, "mimeType"), `${field}.file.mimeType`),
    filename: optionalString(memberOf(file, "name"), `${field}.file.name`),
  });
}

/** Returns an event of a stream as A2A 0.3 writes it. `final` ends the stream. */
export function eventV03(event: StreamEvent): object {
  if (!("statusUpdate" in event)) return resultV03(event) as object;
  const final = event.statusUpdate.status.state !== "TASK_STATE_WORKING";
  return { ...(resultV03(event) as object), final };
}

/**
 * Returns a result or an event of A2A 1.0 as A2A 0.3 writes it: `{task}`, `{message}`, `{statusUpdate}` and `{artifactUpdate}` lose their
 * wrapper, `TASK_STATE_COMPLETED` becomes `completed`, and each part gets its `kind`. Lenient: some servers send an event without its
 * wrapper, with the `kind` of 0.3. Members that 0.3 does not have are kept. A value of an unknown shape is returned unchanged.
 */
export function resultV03(result: unknown): unknown {
  if (!isObject(result)) return result;
  const of = (kind: string, wrapper: string): unknown => (result["kind"] === kind ? result : result[wrapper]);
  const message = of("message", "message");
  if (isObject(message)) return messageV03(message);
  const status = of("status-update", "statusUpdate");
  if (isObject(status)) return { ...status, kind: "status-update", ...statusIn(status) };
  const update = of("artifact-update", "artifactUpdate");
  if (isObject(update)) return { ...update, kind: "artifact-update", artifact: withKinds(update["artifact"]) };
  const task = memberOf(result, "task") ?? result;
  return isObject(task) ? taskV03(task) : result;
}

/** Returns a task as A2A 0.3 writes it. */
export function taskV03(task: object): object {
  const { artifacts, history } = task as JsonObject;
  return {
    ...task,
    kind: "task",
    ...statusIn(task),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map(withKinds) }),
    ...(Array.isArray(history) && { history: history.map(messageV03) }),
  };
}

function statusIn(holder: unknown): { readonly status?: JsonObject } {
  const status = memberOf(holder, "status");
  if (!isObject(status)) return {};
  const message = memberOf(status, "message");
  const state = stateV03(status["state"]);
  return { status: { ...status, state, ...(isObject(message) && { message: messageV03(message) }) } };
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
function stateV03(state: unknown): unknown {
  if (typeof state !== "string" || !state.startsWith("TASK_STATE_")) return state;
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

/** Returns a message as A2A 0.3 writes it. */
export function messageV03(message: unknown): object {
  const role = memberOf(message, "role");
  const own = role !== undefined && { role: role === "ROLE_USER" ? "user" : "agent" };
  return { ...withKinds(message), kind: "message", ...own };
}

function withKinds(holder: unknown): JsonObject {
  if (!isObject(holder)) return {};
  return Array.isArray(holder["parts"]) ? { ...holder, parts: holder["parts"].map(partV03) } : holder;
}

function partV03(part: unknown): unknown {
  if (!isObject(part) || part["kind"] !== undefined) return part;
  const { text, raw, url, data, mediaType, filename, ...others } = part;
  if (text !== undefined) return { ...others, kind: "text", text };
  if (data !== undefined) return defined({ ...others, kind: "data", data, filename });
  if (raw === undefined && url === undefined) return part;
  return {
    ...others,
    kind: "file",
    file: defined({ name: filename, mimeType: mediaType, bytes: raw, uri: raw === undefined ? url : undefined }),
  };
}
