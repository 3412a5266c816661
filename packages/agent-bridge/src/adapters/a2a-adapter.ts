import { methodOf, type Part, type Version, versions } from "@crosszone/a2a";
import {
  isAgentProtocolConfig,
  type AgentProtocolConfig,
  type AgentTask,
  type AgentTaskFile,
} from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import { messageInput } from "./jsonrpc/output-of-task.ts";
import { createEventReader } from "./jsonrpc/read-events.ts";
import { readReplyOf } from "./jsonrpc/read-reply.ts";
import { spokenResult } from "./jsonrpc/spoken.ts";
import { answersToCalls, hitlUri } from "../protocol/hitl-extension.ts";

/**
 * Creates an adapter for A2A 1.0 over JSON-RPC 2.0. Converts results to the JSON of A2A 0.3, so that both versions return the same output.
 * The only configuration is the JSON-RPC version "2.0". https://a2a-protocol.org/v1.0.0/specification/#9-json-rpc-protocol-binding
 */
export function createA2A10Adapter(config: AgentProtocolConfig, tenant?: string): ProtocolAdapter {
  const protocol = "a2a-1.0";
  if (config.method !== undefined)
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of an ${protocol} agent takes no method, got ${JSON.stringify(config.method)}. Remove it.`,
    );
  const { request, ...adapter } = createA2AAdapter(versions["1.0"], { protocol, tenant });
  return {
    ...adapter,
    extensionHeaders: ["a2a-extensions"],
    toSubscribe: (task, remoteId) => request(task, "subscribe", { id: remoteId }),
  };
}

/**
 * Creates an adapter for A2A 0.3 over JSON-RPC 2.0. A broken stream is not resumed with `tasks/resubscribe`: servers on a2a-sdk 0.3 for
 * Python would then store each later piece of an artifact twice. The configuration is a `method` of the contract's list and the version
 * "2.0". https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
 */
export function createJsonRpcAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  const protocol = "jsonrpc-2.0";
  if (!isAgentProtocolConfig(config))
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of a ${protocol} agent takes only method (message/send, tasks/send or agent/invoke) and version ("2.0").`,
    );
  const { method = "message/send" } = config;
  const { request: _request, toStream, ...adapter } = createA2AAdapter(versions["0.3"], { protocol, send: method });
  return {
    ...adapter,
    // The second one is that of A2A 0.3, the first one that of kagent's extension.
    extensionHeaders: ["a2a-extensions", "x-a2a-extensions"],
    // Only message/send has a streaming counterpart.
    ...(method === "message/send" && { toStream }),
  };
}

interface A2AOptions {
  readonly protocol: string;
  readonly tenant?: string | undefined;
  /** The method that sends a message, default that of the version. */
  readonly send?: string;
}

/** Sends don't block, so a task of any length is sent once. Each request has the task's id, so a retry sends the same bytes. */
function createA2AAdapter(version: Version, { protocol, tenant, send = methodOf(version, "send") }: A2AOptions) {
  const request = (
    { task_id }: AgentTask,
    operation: "send" | "stream" | "get" | "cancel" | "subscribe",
    params: object,
  ) => ({
    jsonrpc: "2.0",
    id: task_id,
    method: operation === "send" ? send : methodOf(version, operation),
    params: { tenant, ...params },
  });
  const sending = (task: AgentTask) => ({
    message: messageOf(task, version),
    configuration: version.writeConfiguration(false),
  });
  const normalize = (result: unknown): unknown => spokenResult(version.asV03(result));
  const reading = ({ task_id }: AgentTask) => ({ id: task_id, protocol, normalize });
  return {
    protocol,
    headers: version.headers,
    request,
    toRequest: (task) => request(task, "send", sending(task)),
    toStream: (task) => request(task, "stream", sending(task)),
    fromResponse: (reply, task) => readReplyOf(reply, reading(task)),
    createEventReader: (task) => createEventReader(reading(task)),
    toPoll: (task, remoteId) => request(task, "get", { id: remoteId }),
    toCancel: (task, remoteId) => request(task, "cancel", { id: remoteId }),
  } satisfies ProtocolAdapter & { readonly request: unknown };
}

function messageOf({ task_id, input_data, context_id, open_task_id, files = [] }: AgentTask, version: Version): object {
  const { text, others = [], ...more } = messageInput(input_data);
  const answers = answersToCalls(more.metadata?.[hitlUri]);
  return version.writeMessage({
    role: "ROLE_USER",
    messageId: `msg-${task_id}`,
    parts: answers.length > 0 ? answers : [{ text }, ...others, ...files.flatMap(filePart)],
    ...more,
    ...(context_id !== undefined && { contextId: context_id }),
    ...(open_task_id !== undefined && { taskId: open_task_id }),
  });
}

/** A file with neither bytes nor a link has no part: the text names it. */
function filePart({ name, media_type, bytes, url }: AgentTaskFile): readonly Part[] {
  const about = { mediaType: media_type, filename: name };
  if (bytes !== undefined) return [{ raw: bytes, ...about }];
  return url === undefined ? [] : [{ url, ...about }];
}
