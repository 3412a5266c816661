import type { BusMessage, ChannelName } from "./bus-message.ts";

/** The consumer groups of each channel. A message is stored for each group, even before the group subscribes. */
export type ConsumerGroups = Readonly<Partial<Record<ChannelName, readonly string[]>>>;

/**
 * Returns the only group that a message is for, by its header `reply-to`. Undefined if it is for all groups of the channel: the header is
 * absent or names another channel's group, as on the task that it replies to.
 */
export function soleAddressee(
  { channel, headers = {} }: Pick<BusMessage, "channel" | "headers">,
  groups: ConsumerGroups,
): string | undefined {
  const { "reply-to": group } = headers;
  return group !== undefined && groups[channel]?.includes(group) === true ? group : undefined;
}
