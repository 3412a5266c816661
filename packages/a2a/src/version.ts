import {
  defined,
  invalid,
  isObject,
  type JsonObject,
  memberOf,
  objectAt,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalString,
  RpcError,
  stringAt,
  withoutPush,
} from "./check.ts";
import { checkBase64, readWireMessage, readPartV1 } from "./read-message.ts";
import type { Part, StreamEvent, WireMessage, WireTask } from "./types.ts";

/** Reads a part of A2A 0.3, which has a `kind`. */
function readPartV03(part: JsonObject, field: string): Part {
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
function eventV03(event: StreamEvent): object {
  if (!("statusUpdate" in event)) return resultV03(event) as object;
  const final = event.statusUpdate.status.state !== "TASK_STATE_WORKING";
  return { ...(resultV03(event) as object), final };
}

/**
 * Returns a result or an event of A2A 1.0 as A2A 0.3 writes it: `{task}`, `{message}`, `{statusUpdate}` and `{artifactUpdate}` lose their
 * wrapper, `TASK_STATE_COMPLETED` becomes `completed`, and each part gets its `kind`. Lenient: some servers send an event without its
 * wrapper, with the `kind` of 0.3. Members that 0.3 does not have are kept. A value of an unknown shape is returned unchanged.
 */
function resultV03(result: unknown): unknown {
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
function taskV03(task: object): object {
  const { artifacts, history } = task as JsonObject;
  return {
    ...task,
    kind: "task",
    ...statusIn(task),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map(withKinds) }),
    ...(Array.isArray(history) && { history: history.map((one) => (isObject(one) ? messageV03(one) : one)) }),
  };
}

function statusIn(holder: unknown): { readonly status?: JsonObject } {
  const status = memberOf(holder, "status");
  if (!isObject(status)) return {};
  const message = memberOf(status, "message");
  const state = stateV03(status["state"]);
  return { status: { ...status, state, ...(isObject(message) && { message: messageV03(message) }) } };
}

/** In the order of their numbers, which JSON of protocol buffers may have instead of names. */
const states = "unspecified submitted working completed failed canceled input-required rejected auth-required".split(
  " ",
);

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. JSON of protocol buffers leaves a default out. */
function stateV03(state: unknown): unknown {
  if ((state ?? "") === "") return "unspecified";
  if (typeof state === "number") return states[state] ?? state;
  if (typeof state !== "string" || !state.startsWith("TASK_STATE_")) return state;
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

/** Returns a message as A2A 0.3 writes it. */
function messageV03(message: unknown): object {
  const role = memberOf(message, "role");
  const own = (role ?? undefined) !== undefined && { role: role === "ROLE_USER" || role === 1 ? "user" : "agent" };
  return { ...(withKinds(message) as object), kind: "message", ...own };
}

function withKinds(holder: unknown): unknown {
  if (!isObject(holder)) return holder;
  return Array.isArray(holder["parts"]) ? { ...holder, parts: holder["parts"].map(partV03) } : holder;
}

function partV03(part: unknown): unknown {
  if (!isObject(part) || (part["kind"] ?? undefined) !== undefined) return part;
  const given = Object.entries(part).filter(([, member]) => (member ?? undefined) !== undefined);
  const { text, raw, url, data, mediaType, filename, ...others } = Object.fromEntries(given);
  if (text !== undefined) return { ...others, kind: "text", text };
  if (data !== undefined) return defined({ ...others, kind: "data", data, filename });
  if (raw === undefined && url === undefined) return part;
  return {
    ...others,
    kind: "file",
    file: defined({ name: filename, mimeType: mediaType, bytes: raw, uri: raw === undefined ? url : undefined }),
  };
}

/** The behavior of methods, and their names in 1.0 and 0.3. The first one of `push` sets a configuration. */
const methods = [
  ["send", "SendMessage", "message/send"],
  ["stream", "SendStreamingMessage", "message/stream"],
  ["get", "GetTask", "tasks/get"],
  ["list", "ListTasks", undefined],
  ["cancel", "CancelTask", "tasks/cancel"],
  ["subscribe", "SubscribeToTask", "tasks/resubscribe"],
  ["push", "CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set"],
  ["push", "GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get"],
  ["push", "ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list"],
  ["push", "DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete"],
  ["extendedCard", "GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard"],
] as const;

export type Operation = (typeof methods)[number][0];

const columns = { "1.0": 1, "0.3": 2 } as const;

export interface SendRequest {
  readonly message: WireMessage;
  /** Whether the response waits until the task ends or asks a question. */
  readonly isBlocking: boolean;
  readonly historyLength: number | undefined;
}

/** One version of A2A: its JSON. */
export interface Version {
  readonly name: "0.3" | "1.0";
  readonly writeTask: (task: WireTask) => object;
  /** The result of sending a message; 1.0 wraps the task. */
  readonly writeSent: (task: WireTask) => object;
  readonly writeEvent: (event: StreamEvent) => object;
  /** Headers of each request that a client sends. */
  readonly headers: Readonly<Record<string, string>>;
  readonly writeMessage: (message: WireMessage) => object;
  /** The `configuration` of a request to send a message. */
  readonly writeConfiguration: (isBlocking: boolean) => JsonObject;
  /** Returns a result or an event in the JSON of 0.3. Never throws. */
  readonly asV03: (result: unknown) => unknown;
}

const v1: Version = {
  name: "1.0",
  writeTask: (task) => task,
  writeSent: (task) => ({ task }),
  writeEvent: (event) => event,
  headers: { "a2a-version": "1.0" },
  writeMessage: (message) => message,
  writeConfiguration: (isBlocking) => ({ returnImmediately: !isBlocking }),
  asV03: resultV03,
};

const v03: Version = {
  name: "0.3",
  writeTask: taskV03,
  writeSent: taskV03,
  writeEvent: eventV03,
  headers: {},
  writeMessage: messageV03,
  writeConfiguration: (isBlocking) => ({ blocking: isBlocking }),
  asV03: (result) => result,
};

export const versions: Readonly<Record<Version["name"], Version>> = { "1.0": v1, "0.3": v03 };

/** Returns the first method of an operation. Throws a `TypeError` when the version has none. */
export function methodOf({ name }: Version, operation: Operation): string {
  const method = methods.find(([each]) => each === operation)?.[columns[name]];
  if (method === undefined) throw new TypeError(`A2A ${name} has no method for ${operation}.`);
  return method;
}

/** How each version says whose a message is, and that its response is not to wait. */
const sending = {
  "1.0": { role: "ROLE_USER", readPart: readPartV1, atOnce: ["returnImmediately", true] },
  "0.3": { role: "user", readPart: readPartV03, atOnce: ["blocking", false] },
} as const;

/** Reads the params of a request that sends a message. Throws an `RpcError` that names the invalid one. */
export function readSend({ name }: Version, params: JsonObject): SendRequest {
  const { role, readPart, atOnce } = sending[name];
  const message = readWireMessage(params, role, readPart);
  const configuration = objectAt(memberOf(params, "configuration") ?? {}, "configuration");
  const push = name === "1.0" ? "taskPushNotificationConfig" : "pushNotificationConfig";
  if (memberOf(configuration, push) !== undefined) throw withoutPush();
  const [member, said] = atOnce;
  const isBlocking = optionalBoolean(memberOf(configuration, member), `configuration.${member}`) !== said;
  return { message, isBlocking, historyLength: readHistoryLength(configuration, "configuration.historyLength") };
}

/** Returns how many messages of the history to return; undefined for all. */
export const readHistoryLength = (holder: JsonObject, field: string): number | undefined =>
  optionalInteger(memberOf(holder, "historyLength"), field, [0, 2 ** 31 - 1]);

/**
 * Chooses the version of a request from its `A2A-Version`, a header or a query parameter. Without one it is 0.3; patch
 * numbers don't matter. Throws an `RpcError` for any other version.
 */
export function versionOf(stated: string): Version {
  const [, version] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(stated.trim()) ?? [];
  if (stated.trim() === "" || version === "0.3") return v03;
  if (version === "1.0") return v1;
  throw new RpcError(
    "VERSION_NOT_SUPPORTED",
    `A2A version ${JSON.stringify(stated.slice(0, 20))} is not supported. Send A2A-Version: 1.0 or 0.3.`,
  );
}

/** Returns the version that a request states in its header or else in its query, as text. */
export const statedVersion = (header: unknown, url: string): string =>
  typeof header === "string" && header.trim() !== "" ? header : (URL.parse(url)?.searchParams.get("A2A-Version") ?? "");

/** Returns the version of the form in which a request is answered: 1.0 also when it states an unknown version. */
export const answerVersion = (stated: string): Version["name"] =>
  /^\s*(0\.3(\.\d+)?\s*)?$/.test(stated) ? "0.3" : "1.0";

/** Returns the operation of a method. Throws an `RpcError` that names the other version for a method that this one does not have. */
export function findOperation({ name }: Version, method: string): Operation {
  const found = methods.find((row) => row[columns[name]] === method);
  if (found !== undefined) return found[0];
  const other = name === "0.3" ? "1.0" : "0.3";
  throw new RpcError(
    "METHOD_NOT_FOUND",
    `Method not found in A2A ${name}: ${method.slice(0, 80)}. For A2A ${other}, send the header A2A-Version: ${other}.`,
  );
}
