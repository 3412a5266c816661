import {
  isAgentProtocolConfig,
  type A2AMessageSendRequest,
  type A2ATasksCancelRequest,
  type A2ATasksGetRequest,
  type AgentProtocolConfig,
} from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { failureOfStatus } from "../failure-of-status.ts";
import { failure } from "../normalised.ts";
import type { ProtocolAdapter } from "../protocol-adapter.ts";
import { failureOfError } from "./failure-of-error.ts";
import { partsOfInput } from "./parts-of-input.ts";
import { readEnvelope } from "./read-envelope.ts";
import { readResult } from "./read-result.ts";

const protocol = "jsonrpc-2.0";

/**
 * Speaks A2A 0.3 over JSON-RPC 2.0: `message/send` gives the task, `tasks/get` asks how it stands, `tasks/cancel` stops it. Every request
 * has the id of the task, so that one that is sent again is the same. Takes a `method` of the contract's list, and the version "2.0".
 * https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
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
    toRequest: ({ task_id, input_data }): A2AMessageSendRequest => ({
      jsonrpc: "2.0",
      id: task_id,
      method,
      params: { message: { role: "user", messageId: `msg-${task_id}`, parts: [...partsOfInput(input_data)] } },
    }),
    fromResponse: (reply, { task_id }) => {
      const envelope = readEnvelope(reply, task_id, protocol);
      if (envelope === "status_decides") return failure(task_id, failureOfStatus(reply));
      if ("error" in envelope) return failure(task_id, failureOfError(envelope.error));
      return readResult(envelope.result, task_id, protocol);
    },
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
