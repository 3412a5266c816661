import { soleAddressee } from "./consumer-groups.ts";
import type { ChannelName } from "./bus-message.ts";
import type { PendingMessage } from "./deliver-message.ts";
import { headersOfMessage, letterHeaders, onlyForGroup, readHeaders } from "./dead-letter-headers.ts";
import type { Fetched } from "./group-member.ts";
import type { OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic } from "./kafka-topics.ts";
import type { PartitionProgress } from "./partition-progress.ts";

/** A fetched message that has not ended. */
export interface HeldMessage extends PendingMessage {
  /** Messages with the same key are handled in order. */
  readonly key: string;
  readonly source: Fetched;
  readonly progress: PartitionProgress;
  /** The only group that it is for, if it has one. */
  readonly onlyFor: string | undefined;
}

export function holdMessage(source: Fetched, progress: PartitionProgress, channel: ChannelName): HeldMessage {
  const headers = readHeaders(source.headerEntries);
  return {
    source,
    progress,
    // Messages without a key have no order.
    key: `${source.partition} ${source.key?.toString("latin1") ?? `at ${source.offset}`}`,
    bytes: source.value ?? Buffer.alloc(0),
    headers: headersOfMessage(headers),
    onlyFor: headers[onlyForGroup] ?? soleAddressee({ channel, headers }),
    attempt: 0,
    signal: progress.signal,
  };
}

/** Returns the record of a dead letter. */
export function toDeadLetter(
  { source, bytes, headers, attempt }: HeldMessage,
  group: string,
  reason: string,
): OutgoingRecord {
  return {
    topic: deadLetterTopic(source.topic),
    key: source.key ?? undefined,
    value: bytes,
    headers: {
      ...headers,
      [letterHeaders.reason]: reason,
      [letterHeaders.topic]: source.topic,
      [letterHeaders.partition]: String(source.partition),
      [letterHeaders.offset]: String(source.offset),
      [letterHeaders.group]: group,
      [letterHeaders.attempts]: String(attempt),
      [letterHeaders.at]: String(Date.now()),
    },
  };
}

/**
 * Returns a dead letter without the value, for a topic that does not accept its size. It says where the message is while its topic keeps
 * it.
 */
export function withoutItsValue(message: HeldMessage, group: string, reason: string): OutgoingRecord {
  const letter = toDeadLetter(message, group, reason);
  const left = `its ${message.bytes.length} bytes exceed this topic's limit, so it is only in its original topic`;
  const headers = { [letterHeaders.reason]: `${reason} (${left})` };
  return { ...letter, value: Buffer.alloc(0), headers: { ...letter.headers, ...headers } };
}
