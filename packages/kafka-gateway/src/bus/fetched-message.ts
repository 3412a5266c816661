import { type ChannelName, soleAddressee } from "./bus-message.ts";
import { headersOfMessage, letterHeaders, onlyForGroup, readHeaders } from "./message-codec.ts";
import type { PendingMessage } from "./deliver-message.ts";
import type { Fetched } from "./group-member.ts";
import type { OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic } from "./kafka-topics.ts";
import type { PartitionProgress } from "./offset-commits.ts";

/** A fetched message that has not ended. */
export interface FetchedMessage extends PendingMessage {
  /** Messages with the same key are handled in order. */
  readonly key: string;
  readonly source: Fetched;
  readonly progress: PartitionProgress;
  /** The only group that it is for, if it has one. */
  readonly onlyFor: string | undefined;
}

export function toFetchedMessage(source: Fetched, progress: PartitionProgress, channel: ChannelName): FetchedMessage {
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
  { source, bytes, headers, attempt }: FetchedMessage,
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
export function withoutItsValue(message: FetchedMessage, group: string, reason: string): OutgoingRecord {
  const letter = toDeadLetter(message, group, reason);
  const left = `its ${message.bytes.length} bytes exceed this topic's limit, so it is only in its original topic`;
  const headers = { [letterHeaders.reason]: `${reason} (${left})` };
  return { ...letter, value: Buffer.alloc(0), headers: { ...letter.headers, ...headers } };
}

/** Limits the fetched, unfinished messages by number and bytes. */
interface FetchRoom {
  /** Resolves when there is room for another one. */
  readonly room: () => Promise<void>;
  readonly add: (bytes: number) => void;
  readonly remove: (bytes: number) => void;
  /** Resolves all waits for room. */
  readonly release: () => void;
}

export function createFetchRoom(most: { readonly count: number; readonly bytes: number }): FetchRoom {
  let count = 0;
  let bytes = 0;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  // One message is always accepted, whatever its size.
  const isFull = (): boolean => count > 0 && (count >= most.count || bytes >= most.bytes);
  return {
    room: () => (isFull() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
    add: (size) => {
      count += 1;
      bytes += size;
    },
    remove: (size) => {
      count -= 1;
      bytes -= size;
      if (!isFull()) release();
    },
    release,
  };
}
