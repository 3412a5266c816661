import { soleAddressee, type ConsumerGroups } from "../addressees.ts";
import type { ChannelName } from "../bus-message.ts";
import type { PendingMessage } from "./deliver-message.ts";
import { headersOfMessage, letterHeaders, onlyForGroup, readHeaders } from "./dead-letter-headers.ts";
import type { Fetched } from "./group-member.ts";
import type { OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic } from "./kafka-topics.ts";
import type { PartitionProgress } from "./partition-progress.ts";

/** A message that was fetched and that has not ended. */
export interface HeldMessage extends PendingMessage {
  /** Messages with the same one are handled in order. */
  readonly key: string;
  readonly source: Fetched;
  readonly progress: PartitionProgress;
  /** The group that it is meant for, when that is one alone. */
  readonly onlyFor: string | undefined;
}

export function holdMessage(
  source: Fetched,
  progress: PartitionProgress,
  { channel, groups }: { readonly channel: ChannelName; readonly groups: ConsumerGroups },
): HeldMessage {
  const headers = readHeaders(source.headerEntries);
  return {
    source,
    progress,
    // Without a key there is no order to keep.
    key: `${source.partition} ${source.key?.toString("latin1") ?? `at ${source.offset}`}`,
    bytes: source.value ?? Buffer.alloc(0),
    headers: headersOfMessage(headers),
    onlyFor: headers[onlyForGroup] ?? soleAddressee({ channel, headers }, groups),
    attempt: 0,
    signal: progress.signal,
  };
}

/** The record under which a message is kept that its group gives up. */
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

/** A dead letter that its topic takes when it is smaller than the topic of the message: says where the message is, for as long as that keeps it. */
export function withoutItsValue(message: HeldMessage, group: string, reason: string): OutgoingRecord {
  const letter = toDeadLetter(message, group, reason);
  const left = `its ${message.bytes.length} bytes are more than this topic takes, and are only where it came from`;
  const headers = { [letterHeaders.reason]: `${reason} (${left})` };
  return { ...letter, value: Buffer.alloc(0), headers: { ...letter.headers, ...headers } };
}
