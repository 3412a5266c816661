import {
  memberOf,
  objectAt,
  optionalBoolean,
  optionalInteger,
  type JsonObject,
  RpcError,
  withoutPush,
} from "./check.ts";
import { readMessage, readPartV1 } from "./read-message.ts";
import type { StreamEvent, WireMessage, WireTask } from "./types.ts";
import { eventV03, messageV03, readPartV03, resultV03, taskV03 } from "./version-0.3.ts";

/** The behavior of a method, whatever its name is in a version. */
export type Operation = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "push" | "extendedCard";

export interface SendRequest {
  readonly message: WireMessage;
  /** Whether the response waits until the task ends or asks a question. */
  readonly isBlocking: boolean;
  readonly historyLength: number | undefined;
}

/** One version of A2A: its method names and its JSON. */
export interface Version {
  readonly name: "0.3" | "1.0";
  readonly operations: Readonly<Record<string, Operation>>;
  readonly readSend: (params: JsonObject) => SendRequest;
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
  operations: {
    SendMessage: "send",
    SendStreamingMessage: "stream",
    GetTask: "get",
    ListTasks: "list",
    CancelTask: "cancel",
    SubscribeToTask: "subscribe",
    CreateTaskPushNotificationConfig: "push",
    GetTaskPushNotificationConfig: "push",
    ListTaskPushNotificationConfigs: "push",
    DeleteTaskPushNotificationConfig: "push",
    GetExtendedAgentCard: "extendedCard",
  },
  readSend: (params) => {
    const message = readMessage(params, { role: "ROLE_USER", readPart: readPartV1 });
    const { configuration, historyLength } = readConfiguration(params, "taskPushNotificationConfig");
    const field = "configuration.returnImmediately";
    return {
      message,
      isBlocking: optionalBoolean(memberOf(configuration, "returnImmediately"), field) !== true,
      historyLength,
    };
  },
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
  operations: {
    "message/send": "send",
    "message/stream": "stream",
    "tasks/get": "get",
    "tasks/cancel": "cancel",
    "tasks/resubscribe": "subscribe",
    "tasks/pushNotificationConfig/set": "push",
    "tasks/pushNotificationConfig/get": "push",
    "tasks/pushNotificationConfig/list": "push",
    "tasks/pushNotificationConfig/delete": "push",
    "agent/getAuthenticatedExtendedCard": "extendedCard",
  },
  readSend: (params) => {
    const message = readMessage(params, { role: "user", readPart: readPartV03 });
    const { configuration, historyLength } = readConfiguration(params, "pushNotificationConfig");
    const isBlocking = optionalBoolean(memberOf(configuration, "blocking"), "configuration.blocking") !== false;
    return { message, isBlocking, historyLength };
  },
  writeTask: taskV03,
  writeSent: taskV03,
  writeEvent: eventV03,
  headers: {},
  writeMessage: messageV03,
  writeConfiguration: (isBlocking) => ({ blocking: isBlocking }),
  asV03: (result) => result,
};

export const versions: Readonly<Record<Version["name"], Version>> = { "1.0": v1, "0.3": v03 };

/** Returns the method of an operation: for `push`, the one that sets a configuration. Throws a `TypeError` when the version has none. */
export function methodOf({ name, operations }: Version, operation: Operation): string {
  const [method] = Object.entries(operations).find(([, each]) => each === operation) ?? [];
  if (method === undefined) throw new TypeError(`A2A ${name} has no method for ${operation}.`);
  return method;
}

function readConfiguration(params: JsonObject, push: string) {
  const configuration = objectAt(memberOf(params, "configuration") ?? {}, "configuration");
  if (memberOf(configuration, push) !== undefined) throw withoutPush();
  return { configuration, historyLength: readHistoryLength(configuration, "configuration.historyLength") };
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
export const formOf = (stated: string): Version["name"] => (/^\s*(0\.3(\.\d+)?\s*)?$/.test(stated) ? "0.3" : "1.0");

/** Returns the operation of a method. Throws an `RpcError` that names the other version for a method that this one does not have. */
export function findOperation({ operations, name }: Version, method: string): Operation {
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
  if (operation !== undefined) return operation;
  const other = name === "0.3" ? "1.0" : "0.3";
  throw new RpcError(
    "METHOD_NOT_FOUND",
    `Method not found in A2A ${name}: ${method.slice(0, 80)}. For A2A ${other}, send the header A2A-Version: ${other}.`,
  );
}
