import type { AgentProtocolConfig, AgentTask } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { fileParts, messageInput } from "./jsonrpc/output-of-task.ts";
import { createEventReader } from "./jsonrpc/read-events.ts";
import { readReplyOf } from "./jsonrpc/read-reply.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";

const protocol = "a2a-1.0";

/**
 * Creates an adapter for A2A 1.0 over JSON-RPC 2.0: `SendMessage` starts a task and returns at once,
 * `SendStreamingMessage` starts it and streams its events, `SubscribeToTask` streams later events, `GetTask` polls it,
 * `CancelTask` stops it. Converts results to the shape of A2A 0.3, so that both versions return the same output. The
 * only configuration is the JSON-RPC version "2.0".
 * https://a2a-protocol.org/v1.0.0/specification/#9-json-rpc-protocol-binding
 */
export function createA2A10Adapter(config: AgentProtocolConfig, tenant?: string): ProtocolAdapter {
  if (config.method !== undefined)
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of an ${protocol} agent takes no method, got ${JSON.stringify(config.method)}. Remove it.`,
    );
  const request = ({ task_id }: AgentTask, method: string, params: object) => ({
    jsonrpc: "2.0",
    id: task_id,
    method,
    params: { tenant, ...params },
  });
  const reading = ({ task_id }: AgentTask) => ({ id: task_id, protocol, normalize: asV03Result });
  const configuration = { returnImmediately: true };
  return {
    protocol,
    headers: { "a2a-version": "1.0" },
    extensionHeaders: ["a2a-extensions"],
    toRequest: (task) => request(task, "SendMessage", { message: messageOf(task), configuration }),
    toStream: (task) => request(task, "SendStreamingMessage", { message: messageOf(task), configuration }),
    fromResponse: (reply, task) => readReplyOf(reply, reading(task)),
    createEventReader: (task) => createEventReader(reading(task)),
    toSubscribe: (task, remoteId) => request(task, "SubscribeToTask", { id: remoteId }),
    toPoll: (task, remoteId) => request(task, "GetTask", { id: remoteId }),
    toCancel: (task, remoteId) => request(task, "CancelTask", { id: remoteId }),
  };
}

/** Returns the task as a message of A2A 1.0: its parts have no `kind`, and a file is a separate part. */
function messageOf({ task_id, input_data, context_id, open_task_id, files }: AgentTask): object {
  const { part, ...more } = messageInput(input_data);
  return {
    role: "ROLE_USER",
    messageId: `msg-${task_id}`,
    parts: [
      { text: part.text },
      ...fileParts(files).map(({ file: { name, mimeType, bytes, uri } }) => ({
        ...(bytes === undefined ? { url: uri } : { raw: bytes }),
        mediaType: mimeType,
        filename: name,
      })),
    ],
    ...more,
    contextId: context_id,
    taskId: open_task_id,
  };
}

/**
 * Converts a result or stream event of A2A 1.0 to the shape of 0.3: `{task}`, `{message}`, `{statusUpdate}` and `{artifactUpdate}` lose their
 * wrapper, `TASK_STATE_COMPLETED` becomes `completed`, and each part gets its `kind`. Some servers send an event without its wrapper, with
 * the `kind` of 0.3. Members that 0.3 does not have are kept. A value of an unknown shape is returned unchanged.
 */
function asV03Result(result: unknown): unknown {
  if (!isObject(result)) return result;
  const of = (kind: string, wrapper: string): unknown => (result["kind"] === kind ? result : result[wrapper]);
  const message = of("message", "message");
  if (isObject(message)) return { ...messageIn(message), kind: "message" };
  const status = of("status-update", "statusUpdate");
  if (isObject(status)) return { ...status, kind: "status-update", ...statusIn(status) };
  const update = of("artifact-update", "artifactUpdate");
  if (isObject(update)) return { ...update, kind: "artifact-update", artifact: withKinds(update["artifact"]) };
  const task = ownMember(result, "task") ?? result;
  return isObject(task) ? taskOf(task) : result;
}

function taskOf(task: JsonObject): JsonObject {
  return {
    ...task,
    kind: "task",
    ...statusIn(task),
    ...(Array.isArray(task["artifacts"]) && { artifacts: ownList(task, "artifacts").map(withKinds) }),
    ...(Array.isArray(task["history"]) && { history: ownList(task, "history").map(messageIn) }),
  };
}

function statusIn(holder: JsonObject): { readonly status?: JsonObject } {
  const status = ownMember(holder, "status");
  return isObject(status) ? { status: statusOf(status) } : {};
}

function statusOf(status: JsonObject): JsonObject {
  const message = ownMember(status, "message");
  return {
    ...status,
    state: stateOf(status["state"]),
    ...(isObject(message) && { message: messageIn(message) }),
  };
}

/** `TASK_STATE_INPUT_REQUIRED` as `input-required`. */
function stateOf(state: unknown): unknown {
  if (typeof state !== "string" || !state.startsWith("TASK_STATE_")) return state;
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

function messageIn(message: unknown): JsonObject {
  const role = ownMember(message, "role");
  return { ...withKinds(message), ...(role !== undefined && { role: role === "ROLE_USER" ? "user" : "agent" }) };
}

function withKinds(holder: unknown): JsonObject {
  if (!isObject(holder)) return {};
  return Array.isArray(holder["parts"]) ? { ...holder, parts: ownList(holder, "parts").map(partOf) } : holder;
}

function partOf(part: unknown): unknown {
  if (!isObject(part) || part["kind"] !== undefined) return part;
  const { text, raw, url, data, mediaType, filename, ...others } = part;
  if (text !== undefined) return { ...others, kind: "text", text };
  if (data !== undefined) return { ...others, kind: "data", data, filename };
  if (raw === undefined && url === undefined) return part;
  const file = { name: filename, mimeType: mediaType, ...(raw === undefined ? { uri: url } : { bytes: raw }) };
  return { ...others, kind: "file", file };
}
