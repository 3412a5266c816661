import {
  type DeliverDeps,
  deliverMessage,
  headersOfMessage,
  letterHeaders,
  onlyForGroup,
  type PendingMessage,
  readHeaders,
} from "./deliver-message.ts";
import type { Fetched } from "./group-member.ts";
import { type ChannelName, soleAddressee } from "./kafka-bus.ts";
import { MessageTooLargeError } from "./kafka-errors.ts";
import type { KafkaPublisher, OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic } from "./kafka-topics.ts";
import { createPartitionProgress, type PartitionProgress } from "./offset-commits.ts";

/** A fetched message that has not ended. */
interface FetchedMessage extends PendingMessage {
  /** Messages with the same key are handled in order. */
  readonly key: string;
  readonly source: Fetched;
  readonly progress: PartitionProgress;
  /** The only group that it is for, if it has one. */
  readonly onlyFor: string | undefined;
}

function toFetchedMessage(source: Fetched, progress: PartitionProgress, channel: ChannelName): FetchedMessage {
  const headers = readHeaders(source.headerEntries);
  return {
    source,
    progress,
    // Messages without a key have no order.
    key: `${source.partition} ${source.key?.toString("latin1") ?? `at ${source.offset}`}`,
    bytes: source.value ?? Buffer.alloc(0),
    headers: headersOfMessage(headers),
    onlyFor: headers[onlyForGroup] ?? soleAddressee(channel, headers),
    attempt: 0,
    signal: progress.signal,
  };
}

function toDeadLetter(
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
function withoutItsValue(message: FetchedMessage, group: string, reason: string): OutgoingRecord {
  const letter = toDeadLetter(message, group, reason);
  const left = `its ${message.bytes.length} bytes exceed this topic's limit, so it is only in its original topic`;
  const headers = { [letterHeaders.reason]: `${reason} (${left})` };
  return { ...letter, value: Buffer.alloc(0), headers: { ...letter.headers, ...headers } };
}

/** Limits the fetched, unfinished messages by number and bytes. */
export function createFetchRoom(most: { readonly count: number; readonly bytes: number }) {
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
    /** Resolves when there is room for another one. */
    room: (): Promise<void> => (isFull() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
    add: (size: number): void => {
      count += 1;
      bytes += size;
    },
    remove: (size: number): void => {
      count -= 1;
      bytes -= size;
      if (!isFull()) release();
    },
    /** Resolves all waits for room. */
    release,
  };
}

interface KeyLanesOptions<Item> {
  /** Maximum number of items in work. */
  readonly concurrency: number;
  readonly keyOf: (item: Item) => string;
  /** Resolves with the delay before the item runs again, milliseconds, or with undefined when it is done. Never rejects. */
  readonly run: (item: Item) => Promise<number | undefined>;
}

/** Runs items of one key in sequence, and those of different keys concurrently. A delayed item blocks only its key. */
export function createKeyLanes<Item>({ concurrency, keyOf, run }: KeyLanesOptions<Item>) {
  /** The unfinished items of each key. The first one runs or waits to run again. */
  const lanes = new Map<string, Item[]>();
  const ready: string[] = [];
  const waiting = new Map<string, NodeJS.Timeout>();
  let whenIdle: (() => void)[] = [];
  let running = 0;

  function fill(): void {
    while (running < concurrency) {
      const key = ready.shift();
      if (key === undefined) return;
      running += 1;
      void work(key);
    }
  }

  async function work(key: string): Promise<void> {
    const lane = lanes.get(key) ?? [];
    const retryAfterMs = await run(lane[0] as Item);
    running -= 1;
    if (retryAfterMs === undefined) finish(key, lane);
    else waiting.set(key, setTimeout(again, retryAfterMs, key));
    fill();
  }

  function finish(key: string, lane: Item[]): void {
    lane.shift();
    if (lane.length > 0) {
      ready.push(key);
      return;
    }
    lanes.delete(key);
    if (lanes.size > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  function again(key: string): void {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
    ready.push(key);
    fill();
  }

  return {
    add: (item: Item): void => {
      const key = keyOf(item);
      const lane = lanes.get(key);
      if (lane !== undefined) {
        lane.push(item);
        return;
      }
      lanes.set(key, [item]);
      ready.push(key);
      fill();
    },
    /** Runs delayed items now. */
    hurry: (): void => {
      for (const key of waiting.keys()) again(key);
    },
    /** Resolves when no items are left. */
    idle: (): Promise<void> =>
      lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => void whenIdle.push(resolve)),
  };
}

interface MessageFlowDeps<Name extends ChannelName> extends DeliverDeps<Name> {
  readonly concurrency: number;
  readonly publisher: KafkaPublisher;
  /** Aborted when the subscription is closed. */
  readonly closing: AbortSignal;
  /** Called when a message has ended, so that there may be something to commit. */
  readonly onEnded: () => void;
}

/** The messages of one subscription, from their fetch to their end. */
export function createMessageFlow<Name extends ChannelName>(deps: MessageFlowDeps<Name>) {
  const { place, concurrency, publisher, closing, onEnded } = deps;
  const room = createFetchRoom({ count: Math.max(1_000, 2 * concurrency), bytes: 32 * 1024 * 1024 });
  const lanes = createKeyLanes<FetchedMessage>({ concurrency, keyOf: ({ key }) => key, run });
  const isReleased = (of: PartitionProgress): boolean => of.signal.aborted || closing.aborted;
  let progress = new Map<number, PartitionProgress>();

  /** Handles a message if it still belongs to this process. A finished message is committed; any other is delivered again. */
  async function run(message: FetchedMessage): Promise<number | undefined> {
    const { progress: of, source, onlyFor = place.group, bytes } = message;
    let hasEnded = !isReleased(of);
    if (hasEnded && onlyFor === place.group) {
      const retryAfterMs = await deliverMessage(deps, message, (reason) => storeDeadLetter(message, reason));
      if (retryAfterMs !== undefined && !isReleased(of)) return retryAfterMs;
      hasEnded = retryAfterMs === undefined && !of.signal.aborted;
    }
    room.remove(bytes.length);
    if (!hasEnded) return undefined;
    of.end(source.offset);
    onEnded();
    return undefined;
  }

  /** Publishes a dead letter; without its value when the topic does not accept its size. */
  async function storeDeadLetter(message: FetchedMessage, reason: string): Promise<void> {
    try {
      await publisher.publish([toDeadLetter(message, place.group, reason)]);
    } catch (error) {
      if (!(error instanceof MessageTooLargeError)) throw error;
      await publisher.publish([withoutItsValue(message, place.group, reason)]);
    }
  }

  return {
    /** The current partitions of this process. */
    progress: (): Iterable<PartitionProgress> => progress.values(),
    lanes,
    /** Resolves all waits for room. */
    releaseRoom: room.release,
    onMessage: async (source: Fetched, isCurrent: () => boolean): Promise<void> => {
      await room.room();
      const of = progress.get(source.partition);
      if (!isCurrent() || of?.accept(source.offset, Number(source.timestamp)) !== true) return;
      const message = toFetchedMessage(source, of, place.channel);
      room.add(message.bytes.length);
      lanes.add(message);
    },
    onAssigned: (partitions: ReadonlySet<number>, isNew: boolean): void => {
      const former = progress;
      const kept = (partition: number): PartitionProgress | undefined => (isNew ? undefined : former.get(partition));
      progress = new Map([...partitions].map((number) => [number, kept(number) ?? createPartitionProgress(number)]));
      for (const [partition, of] of former) if (progress.get(partition) !== of) of.abort();
      // A reassigned message frees its room.
      lanes.hurry();
    },
  };
}
