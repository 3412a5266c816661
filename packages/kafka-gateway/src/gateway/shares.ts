import type { CallHeaders } from "@crosszone/jobs";
import type { ChannelName } from "../bus/bus-message.ts";
import { messageContext } from "../database/dead-letters.ts";

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

/** Limits the messages that are being published at once, by number and, for those read from the database, by size. */
interface PublishRoom {
  /** How many more. */
  readonly left: () => number;
  /** Reserves room for one. Returns a function that frees it; undefined without room. */
  readonly reserve: () => (() => void) | undefined;
  /** Counts the size of one, characters. Returns a function that no longer counts it. */
  readonly add: (size: number) => () => void;
}

const most = 1_000;
const mostSize = 16_000_000;
/** The assumed size of a message if it is unknown. */
const assumedSize = 500_000;

export function createPublishRoom(): PublishRoom {
  let [reserved, counted, size] = [0, 0, 0];
  const left = (): number => {
    const each = counted === 0 ? assumedSize : Math.max(1, size / counted);
    return Math.max(0, Math.min(most - reserved, Math.ceil((mostSize - size) / each)));
  };
  return {
    left,
    reserve: () => {
      if (left() === 0) return undefined;
      reserved += 1;
      return () => void (reserved -= 1);
    },
    add: (one) => {
      counted += 1;
      size += one;
      return () => {
        counted -= 1;
        size -= one;
      };
    },
  };
}
