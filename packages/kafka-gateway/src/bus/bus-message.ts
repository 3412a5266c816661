import type { Channels } from "@crosszone/contracts";
import type { CallHeaders } from "@crosszone/jobs";

/** A channel of the contract, `channels.json`, which defines its topic, its message and the member that is the key. */
export type ChannelName = keyof Channels;

/** A message to publish, with its channel. A bridge copies the headers of a task to its result. */
export interface BusMessage<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly value: Channels[Name];
  readonly headers?: CallHeaders;
}
