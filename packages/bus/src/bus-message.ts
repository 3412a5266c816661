import type { Channels } from "@crosszone/contracts";

/** A channel of the contract, `channels.json`: it says which topic, which message, and which of its members is the key. */
export type ChannelName = keyof Channels;

/**
 * What goes along with a message and is no part of it: `traceparent`; `data-owner`, a digest of whom the data belongs to; and `reply-to`,
 * the consumer group that gets the result of a task, and nobody else. Who does a task gives its result the headers of the task.
 */
export type MessageHeaders = Readonly<Record<string, string>>;

/** A message to publish: a channel of the contract, and what that channel carries. */
export interface BusMessage<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly value: Channels[Name];
  readonly headers?: MessageHeaders;
}
