import type { CallHeaders } from "@crosszone/jobs";
import type { ChannelName } from "../bus/bus-message.ts";
import { messageContext } from "../database/dead-letter-table.ts";

/** The kind of the worker that publishes, and of jobs that are nothing but a message. */
export const publishKind = "publish";

/** Returns the share of jobs whose message is to be published on a channel. */
export const shareOf = (channel: ChannelName): string => `${publishKind} ${channel}`;

/** Returns the channel of such a share. */
export const channelOf = (share: string): ChannelName => share.slice(publishKind.length + 1) as ChannelName;

/** The members of a job that is nothing but a message: its kind is `publish`, its input the message. */
export interface MessageRecord {
  readonly key: string;
  readonly headers: CallHeaders;
}

/** Returns the context that the input of such a job is bound to. */
export function messageInputContext({ share, record }: { readonly share: string; readonly record: string }): string {
  const { key } = JSON.parse(record) as MessageRecord;
  return messageContext({ channel: channelOf(share), key });
}
