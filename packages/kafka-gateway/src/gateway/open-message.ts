import { AgentFailure, failureResult } from "@crosszone/agent-bridge";
import type { AgentResult } from "@crosszone/contracts";
import {
  callFilesContext,
  callInputContext,
  callOutputContext,
  type AgentCallRecord,
  type ExecutionColumn,
  type LeasedJob,
} from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { BusMessage, ChannelName } from "../bus/bus-message.ts";
import { channelOf, messageInputContext, publishKind, type MessageRecord } from "./shares.ts";

/** Returns the message of a job that is to be published. Throws when its key is missing. */
export function openMessage(job: LeasedJob<ExecutionColumn>, codec: RecordCodec): BusMessage {
  const { id, kind, share, record, input, output, files } = job;
  const channel = channelOf(share);
  if (kind === publishKind) {
    const { headers } = JSON.parse(record) as MessageRecord;
    const value = codec.fromColumn(input ?? "", messageInputContext(job));
    return { channel, value, headers } as BusMessage;
  }
  const { task, headers } = JSON.parse(record) as AgentCallRecord;
  if (channel === "agent_results")
    return { channel, value: codec.fromColumn(output ?? "", callOutputContext(id)) as AgentResult, headers };
  const given = typeof files === "string" ? { files: codec.fromColumn(files, callFilesContext(id)) } : {};
  const input_data = codec.fromColumn(input ?? "", callInputContext(id));
  return { channel: "agent_tasks", value: { ...task, input_data, ...given } as never, headers };
}

/** Returns the failure that replaces an unreadable task or result; undefined for other messages. */
export function insteadOfUnreadable({ kind, share, record }: LeasedJob<ExecutionColumn>): BusMessage | undefined {
  if (kind === publishKind) return undefined;
  const what = { agent_tasks: "task's input", agent_results: "agent's result", agent_cancellations: "cancellation" };
  const channel: ChannelName = channelOf(share);
  const { task, headers } = JSON.parse(record) as AgentCallRecord;
  const failure = new AgentFailure("internal", `The ${what[channel]} can't be decrypted: its key is missing.`);
  return { channel: "agent_results", value: failureResult(task, failure), headers };
}

/**
 * Returns the failure that replaces a task or result that is too large for the bus, so that its waiting caller learns
 * it at once.
 */
export function insteadOfTooLarge({ channel, value, headers = {} }: BusMessage): BusMessage | undefined {
  if (channel === "agent_cancellations") return undefined;
  const failure =
    channel === "agent_tasks"
      ? new AgentFailure("invalid_task", "The task is larger than the bus accepts.")
      : new AgentFailure("response_too_large", "The agent's answer is larger than the bus accepts.");
  return { channel: "agent_results", value: failureResult(value, failure), headers };
}
