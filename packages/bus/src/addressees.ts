import type { BusMessage, ChannelName } from "./bus-message.ts";

/** Which groups get the messages of a channel. A message is kept for each of them, whether it is there yet or not. */
export type ConsumerGroups = Readonly<Partial<Record<ChannelName, readonly string[]>>>;

/**
 * The group of its channel that a message is for alone, by its header `reply-to`. Undefined, and it is for all of them: it has no such
 * header, or that names no group of the channel, as on the task whose reply it is about.
 */
export function soleAddressee(
  { channel, headers = {} }: Pick<BusMessage, "channel" | "headers">,
  groups: ConsumerGroups,
): string | undefined {
  const { "reply-to": group } = headers;
  return group !== undefined && groups[channel]?.includes(group) === true ? group : undefined;
}
