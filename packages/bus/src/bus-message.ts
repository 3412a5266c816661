import type { Channels } from "@crosszone/contracts";

/** A channel of the contract, `channels.json`, which defines its topic, its message and the member that is the key. */
export type ChannelName = keyof Channels;

/**
 * Metadata of a message: `traceparent`; `data-owner`, a digest of the data's owner; and `reply-to`, the only consumer group that receives
 * the result of a task. A worker copies the headers of a task to its result.
 */
export type MessageHeaders = Readonly<Record<string, string>>;

/** A message to publish, with its channel. */
export interface BusMessage<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly value: Channels[Name];
  readonly headers?: MessageHeaders;
}
