import {
  defined,
  invalid,
  memberOf,
  objectAt,
  optionalObject,
  optionalString,
  stringAt,
  type JsonObject,
} from "./check.ts";
import { checkBase64 } from "./read-message.ts";
import {
  isTerminal,
  type Artifact,
  type Part,
  type StreamEvent,
  type TaskStatus,
  type WireMessage,
  type WireTask,
} from "./types.ts";

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

/** Returns a task as A2A 0.3 writes it. */
export function taskV03({ status, artifacts, history, ...task }: WireTask): object {
  return defined({
    kind: "task",
    ...task,
    status: statusV03(status),
    artifacts: artifacts?.map(artifactV03),
    history: history?.map(messageV03),
  });
}

/** Returns an event of a stream as A2A 0.3 writes it. `final` ends the stream. */
export function eventV03(event: StreamEvent): object {
  if ("task" in event) return taskV03(event.task);
  if ("artifactUpdate" in event) {
    const { artifact, ...update } = event.artifactUpdate;
    return { kind: "artifact-update", ...update, artifact: artifactV03(artifact) };
  }
  const { status, ...update } = event.statusUpdate;
  const final = isTerminal(status.state) || status.state === "TASK_STATE_INPUT_REQUIRED";
  return { kind: "status-update", ...update, status: statusV03(status), final };
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
const statusV03 = ({ state, message, ...status }: TaskStatus): object =>
  defined({
    ...status,
    state: state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-"),
    message: message && messageV03(message),
  });

const artifactV03 = ({ parts, ...artifact }: Artifact): object => ({ ...artifact, parts: parts.map(partV03) });

const messageV03 = ({ role, parts, ...message }: WireMessage): object => ({
  kind: "message",
  ...message,
  role: role === "ROLE_USER" ? "user" : "agent",
  parts: parts.map(partV03),
});

function partV03({ text, raw, url, mediaType, filename, metadata, ...part }: Part): object {
  if (text !== undefined) return defined({ kind: "text", text, metadata });
  if (raw === undefined && url === undefined) return defined({ kind: "data", data: part.data, metadata });
  return defined({
    kind: "file",
    file: defined({ bytes: raw, uri: url, mimeType: mediaType, name: filename }),
    metadata,
  });
}
