import {
  type CallHeaders,
  callFilesContext,
  callInputContext,
  callOutputContext,
  type AgentCallRecord,
  type ExecutionColumn,
} from "@crosszone/agent-calls";
import type { LeasedJob } from "@crosszone/jobs";
import type { ChannelName, BusMessage } from "../bus/kafka-bus.ts";
import { messageContext } from "./dead-letters.ts";
import { AgentFailure, failureResult } from "@crosszone/agent-bridge";
import type { AgentResult } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";

/** The kind of the worker that publishes, and of jobs that are only a message. */
export const publishKind = "publish";

/** Returns the share of jobs whose message is to be published on a channel. */
export const shareOf = (channel: ChannelName): string => `${publishKind} ${channel}`;

/** Returns the channel of such a share. */
export const channelOf = (share: string): ChannelName => share.slice(publishKind.length + 1) as ChannelName;

/** The members of a job that is only a message: its kind is `publish`, its input the message. */
export interface MessageRecord {
  readonly key: string;
  readonly headers: CallHeaders;
}

/** Returns the context that the input of such a job is bound to. */
export function messageInputContext({ share, record }: { readonly share: string; readonly record: string }): string {
  const { key } = JSON.parse(record) as MessageRecord;
  return messageContext({ channel: channelOf(share), key });
}

const most = 1_000;
const mostSize = 16_000_000;
/** The assumed size of a message if it is unknown. */
const assumedSize = 500_000;

/** Limits the messages that are being published at once, by number and, for those read from the database, by size. */
export function createPublishRoom() {
  let [reserved, counted, size] = [0, 0, 0];
  const left = (): number => {
    const each = counted === 0 ? assumedSize : Math.max(1, size / counted);
    return Math.max(0, Math.min(most - reserved, Math.ceil((mostSize - size) / each)));
  };
  return {
    /** How many more. */
    left,
    /** Reserves room for one. Returns a function that frees it; undefined without room. */
    reserve: (): (() => void) | undefined => {
      if (left() === 0) return undefined;
      reserved += 1;
      return () => void (reserved -= 1);
    },
    /** Counts the size of one, characters. Returns a function that no longer counts it. */
    add: (one: number): (() => void) => {
      counted += 1;
      size += one;
      return () => {
        counted -= 1;
        size -= one;
      };
    },
  };
}

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
