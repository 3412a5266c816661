import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Channels } from "@crosszone/contracts";
import type { CallHeaders } from "@crosszone/agent-calls";

/** A channel of the contract, `channels.json`, which defines its topic, its message and the member that is the key. */
export type ChannelName = keyof Channels;

/** A message to publish, with its channel. A bridge copies the headers of a task to its result. */
export interface BusMessage<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly value: Channels[Name];
  readonly headers?: CallHeaders;
}

/** A channel and a consumer group. */
export interface BusPlace {
  readonly channel: ChannelName;
  readonly group: string;
}

/** Reports the events of the bus and of its gateway by name. Must not throw. */
export type BusEmit = Emit<ExecutionEvent>;

/** Consumer groups: the bridge consumes agent tasks; tasks and workflow runs consume the results. */
export const consumerGroups: Readonly<Record<ChannelName, readonly string[]>> = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
};

/** The allowed values of the labels `channel` and `group`. */
export const busLabels: Readonly<Record<"channel" | "group", readonly string[]>> = {
  channel: Object.keys(consumerGroups),
  group: [...new Set(Object.values(consumerGroups).flat())],
};

/**
 * Returns the only group that a message is for, by its header `reply-to`. Undefined if it is for all groups of the channel: the header is
 * absent or names another channel's group, as on the task that it replies to.
 */
export function soleAddressee({ channel, headers = {} }: Pick<BusMessage, "channel" | "headers">): string | undefined {
  const { "reply-to": group } = headers;
  return group !== undefined && consumerGroups[channel].includes(group) ? group : undefined;
}

/** How long dead letters are kept, in the table and in created topics: 14 days, in milliseconds. */
export const deadLetterMs: number = 14 * 86_400_000;
