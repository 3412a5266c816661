import type { BusMessage, ChannelName } from "./bus-message.ts";

/** Consumer groups: the bridge consumes agent tasks; tasks and workflow runs consume the results. */
export const consumerGroups: Readonly<Record<ChannelName, readonly string[]>> = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
};

/**
 * Returns the only group that a message is for, by its header `reply-to`. Undefined if it is for all groups of the channel: the header is
 * absent or names another channel's group, as on the task that it replies to.
 */
export function soleAddressee({ channel, headers = {} }: Pick<BusMessage, "channel" | "headers">): string | undefined {
  const { "reply-to": group } = headers;
  return group !== undefined && consumerGroups[channel].includes(group) ? group : undefined;
}
