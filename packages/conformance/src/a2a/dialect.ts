import type { JsonObject } from "../wire/json.ts";

export type A2AProtocol = "a2a-1.0" | "jsonrpc-2.0";

export type Operation = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "pushSet" | "extendedCard";

/** Task states by the names of A2A 0.3, which name them the same way in both versions. */
export const stateNames = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "auth-required",
  "unknown",
] as const;

export type StateName = (typeof stateNames)[number];

/** A file to send. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** How one version of A2A writes what both have. */
export interface Dialect {
  readonly protocol: A2AProtocol;
  readonly version: "1.0" | "0.3";
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly methods: Readonly<Record<Operation, string>>;
  readonly roles: { readonly user: string; readonly agent: string };
  readonly stateWords: readonly string[];
  readonly text: (text: string) => JsonObject;
  readonly file: (file: SentFile) => JsonObject;
  /** Members of each message that only this version has. */
  readonly message: JsonObject;
  /** `configuration` of a message: whether the call waits for the end of the task. */
  readonly waits: (waits: boolean) => JsonObject;
}

const v1: Dialect = {
  protocol: "a2a-1.0",
  version: "1.0",
  headers: { "a2a-version": "1.0" },
  methods: {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    get: "GetTask",
    list: "ListTasks",
    cancel: "CancelTask",
    subscribe: "SubscribeToTask",
    pushSet: "CreateTaskPushNotificationConfig",
    extendedCard: "GetExtendedAgentCard",
  },
  roles: { user: "ROLE_USER", agent: "ROLE_AGENT" },
  stateWords: stateNames
    .filter((name) => name !== "unknown")
    .map((name) => `TASK_STATE_${name.toUpperCase().replace("-", "_")}`),
  text: (text) => ({ text }),
  file: ({ name, type, base64 }) => ({ raw: base64, filename: name, mediaType: type }),
  message: {},
  waits: (waits) => ({ returnImmediately: !waits }),
};

const v03: Dialect = {
  protocol: "jsonrpc-2.0",
  version: "0.3",
  headers: {},
  methods: {
    send: "message/send",
    stream: "message/stream",
    get: "tasks/get",
    list: "tasks/list",
    cancel: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    pushSet: "tasks/pushNotificationConfig/set",
    extendedCard: "agent/getAuthenticatedExtendedCard",
  },
  roles: { user: "user", agent: "agent" },
  stateWords: stateNames,
  text: (text) => ({ kind: "text", text }),
  file: ({ name, type, base64 }) => ({ kind: "file", file: { name, mimeType: type, bytes: base64 } }),
  message: { kind: "message" },
  waits: (waits) => ({ blocking: waits }),
};

export const dialects: Readonly<Record<A2AProtocol, Dialect>> = { "a2a-1.0": v1, "jsonrpc-2.0": v03 };
