import {
  isAgentProtocolConfig,
  type A2AMessageSendRequest,
  type A2ATasksCancelRequest,
  type A2ATasksGetRequest,
  type AgentProtocolConfig,
} from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import type { ProtocolAdapter } from "../protocol-adapter.ts";
import { fileParts, partsOfInput } from "./parts-of-input.ts";
import { readReplyOf } from "./read-reply.ts";

const protocol = "jsonrpc-2.0";

/**
 * Speaks A2A 0.3 over JSON-RPC 2.0: `message/send` starts a task, `tasks/get` polls it, `tasks/cancel` stops it. A send does not block, so a
 * task of any length is sent once. Each request has the id of the task, so a retry sends the same bytes. Takes a `method` of the contract's
 * list and the version "2.0". https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
 */
export function createJsonRpcAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  if (!isAgentProtocolConfig(config))
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of a ${protocol} agent has method (message/send, tasks/send or agent/invoke) and version ("2.0"), and nothing else.`,
    );
  const { method = "message/send" } = config;
  return {
    protocol,
    toRequest: ({ task_id, input_data, context_id, open_task_id, files }): A2AMessageSendRequest => ({
      jsonrpc: "2.0",
      id: task_id,
      method,
      params: {
        message: {
          kind: "message",
          role: "user",
          messageId: `msg-${task_id}`,
          parts: [...partsOfInput(input_data), ...fileParts(files)],
          ...(context_id !== undefined && { contextId: context_id }),
          ...(open_task_id !== undefined && { taskId: open_task_id }),
        },
        configuration: { blocking: false },
      },
    }),
    fromResponse: (reply, { task_id }) => readReplyOf(reply, { id: task_id, protocol }),
    toPoll: ({ task_id }, remoteId): A2ATasksGetRequest => ({
      jsonrpc: "2.0",
      id: task_id,
      method: "tasks/get",
      params: { id: remoteId },
    }),
    toCancel: ({ task_id }, remoteId): A2ATasksCancelRequest => ({
      jsonrpc: "2.0",
      id: task_id,
      method: "tasks/cancel",
      params: { id: remoteId },
    }),
  };
}
