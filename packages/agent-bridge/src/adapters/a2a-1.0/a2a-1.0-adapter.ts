import type { AgentProtocolConfig, AgentTask } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { fileParts, partsOfInput } from "../jsonrpc/parts-of-input.ts";
import { createEventReader } from "../jsonrpc/read-events.ts";
import { readReplyOf } from "../jsonrpc/read-reply.ts";
import type { ProtocolAdapter } from "../protocol-adapter.ts";
import { asV03Result } from "./as-v0.3-result.ts";

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
    params: { ...(tenant !== undefined && { tenant }), ...params },
  });
  const reading = ({ task_id }: AgentTask) => ({ id: task_id, protocol, normalise: asV03Result });
  const configuration = { returnImmediately: true };
  return {
    protocol,
    headers: { "a2a-version": "1.0" },
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
  return {
    role: "ROLE_USER",
    messageId: `msg-${task_id}`,
    parts: [
      ...partsOfInput(input_data).map(({ text }) => ({ text })),
      ...fileParts(files).map(({ file: { name, mimeType, bytes, uri } }) => ({
        ...(bytes === undefined ? { url: uri } : { raw: bytes }),
        ...(mimeType !== undefined && { mediaType: mimeType }),
        ...(name !== undefined && { filename: name }),
      })),
    ],
    ...(context_id !== undefined && { contextId: context_id }),
    ...(open_task_id !== undefined && { taskId: open_task_id }),
  };
}
