import {
  isAgentProtocolConfig,
  type A2AMessageSendRequest,
  type A2ATasksCancelRequest,
  type A2ATasksGetRequest,
  type AgentProtocolConfig,
  type AgentTask,
} from "@crosszone/contracts";
import { AgentFailure } from "../../protocol/agent-failure.ts";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";
import { fileParts, messageInput } from "./output-of-task.ts";
import { createEventReader } from "./read-events.ts";
import { readReplyOf } from "./read-reply.ts";

const protocol = "jsonrpc-2.0";

/**
 * Creates an adapter for A2A 0.3 over JSON-RPC 2.0: `message/send` starts a task, `message/stream` starts it and
 * streams its events, `tasks/get` polls it, `tasks/cancel` stops it. A broken stream is not resumed with
 * `tasks/resubscribe`: servers on a2a-sdk 0.3 for Python would then store each later piece of an artifact twice. Sends
 * don't block, so a task of any length is sent once. Each request has the task's id, so a retry sends the same bytes.
 * The configuration is a `method` of the contract's list and the version "2.0".
 * https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
 */
export function createJsonRpcAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  if (!isAgentProtocolConfig(config))
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of a ${protocol} agent takes only method (message/send, tasks/send or agent/invoke) and version ("2.0").`,
    );
  const { method = "message/send" } = config;
  const request = <Method extends string, Params>({ task_id }: AgentTask, name: Method, params: Params) =>
    ({ jsonrpc: "2.0", id: task_id, method: name, params }) as const;
  return {
    protocol,
    // The second one is that of A2A 0.3, the first one that of kagent's extension.
    extensionHeaders: ["a2a-extensions", "x-a2a-extensions"],
    toRequest: (task): A2AMessageSendRequest => request(task, method, paramsOf(task)),
    // Only message/send has a streaming counterpart.
    ...(method === "message/send" && { toStream: (task) => request(task, "message/stream", paramsOf(task)) }),
    createEventReader: ({ task_id }) => createEventReader({ id: task_id, protocol }),
    fromResponse: (reply, { task_id }) => readReplyOf(reply, { id: task_id, protocol }),
    toPoll: (task, remoteId): A2ATasksGetRequest => request(task, "tasks/get", { id: remoteId }),
    toCancel: (task, remoteId): A2ATasksCancelRequest => request(task, "tasks/cancel", { id: remoteId }),
  };
}

function paramsOf({ task_id, input_data, context_id, open_task_id, files }: AgentTask) {
  const { part, ...more } = messageInput(input_data);
  return {
    message: {
      kind: "message",
      role: "user",
      messageId: `msg-${task_id}`,
      parts: [part, ...fileParts(files)],
      ...more,
      ...(context_id !== undefined && { contextId: context_id }),
      ...(open_task_id !== undefined && { taskId: open_task_id }),
    },
    configuration: { blocking: false },
  } satisfies A2AMessageSendRequest["params"];
}
