import type { ChannelName } from "./bus-message.ts";
import { deliverMessage, type DeliverDeps } from "./deliver-message.ts";
import {
  createFetchRoom,
  toDeadLetter,
  toFetchedMessage,
  withoutItsValue,
  type FetchedMessage,
} from "./fetched-message.ts";
import type { GroupMemberOptions } from "./group-member.ts";
import { MessageTooLargeError } from "./kafka-errors.ts";
import type { KafkaPublisher } from "./kafka-publisher.ts";
import { createKeyLanes, type KeyLanes } from "./key-lanes.ts";
import { createPartitionProgress, type PartitionProgress } from "./offset-commits.ts";

export interface MessageFlowDeps<Name extends ChannelName> extends Omit<
  DeliverDeps<Name, FetchedMessage>,
  "storeDeadLetter"
> {
  readonly concurrency: number;
  readonly publisher: KafkaPublisher;
  /** Aborted when the subscription is closed. */
  readonly closing: AbortSignal;
  /** Called when a message has ended, so that there may be something to commit. */
  readonly onEnded: () => void;
}

/** The messages of one subscription, from their fetch to their end. */
export interface MessageFlow extends Pick<GroupMemberOptions, "onMessage" | "onAssigned"> {
  /** The current partitions of this process. */
  readonly progress: () => Iterable<PartitionProgress>;
  readonly lanes: KeyLanes<FetchedMessage>;
  /** Resolves all waits for room. */
  readonly releaseRoom: () => void;
}

export function createMessageFlow<Name extends ChannelName>(deps: MessageFlowDeps<Name>): MessageFlow {
  const { place, concurrency, closing, onEnded } = deps;
  const room = createFetchRoom({ count: Math.max(1_000, 2 * concurrency), bytes: 32 * 1024 * 1024 });
  const storeDeadLetter = createStoreDeadLetter(deps.publisher, place.group);
  const lanes = createKeyLanes<FetchedMessage>({ concurrency, keyOf: ({ key }) => key, run });
  const isReleased = (of: PartitionProgress): boolean => of.signal.aborted || closing.aborted;
  let progress = new Map<number, PartitionProgress>();

  /** Handles a message if it still belongs to this process. A finished message is committed; any other is delivered again. */
  async function run(message: FetchedMessage): Promise<number | undefined> {
    const { progress: of, source, onlyFor = place.group, bytes } = message;
    let hasEnded = !isReleased(of);
    if (hasEnded && onlyFor === place.group) {
      const retryAfterMs = await deliverMessage({ ...deps, storeDeadLetter }, message);
      if (retryAfterMs !== undefined && !isReleased(of)) return retryAfterMs;
      hasEnded = retryAfterMs === undefined && !of.signal.aborted;
    }
    room.remove(bytes.length);
    if (!hasEnded) return undefined;
    of.end(source.offset);
    onEnded();
    return undefined;
  }

  return {
    progress: () => progress.values(),
    lanes,
    releaseRoom: room.release,
    onMessage: async (source, isCurrent) => {
      await room.room();
      const of = progress.get(source.partition);
      if (!isCurrent() || of?.accept(source.offset, Number(source.timestamp)) !== true) return;
      const message = toFetchedMessage(source, of, place.channel);
      room.add(message.bytes.length);
      lanes.add(message);
    },
    onAssigned: (partitions, isNew) => {
      const former = progress;
      const kept = (partition: number): PartitionProgress | undefined => (isNew ? undefined : former.get(partition));
      progress = new Map([...partitions].map((number) => [number, kept(number) ?? createPartitionProgress(number)]));
      for (const [partition, of] of former) if (progress.get(partition) !== of) of.abort();
      // A reassigned message frees its room.
      lanes.hurry();
    },
  };
}

/** Returns a function that publishes a dead letter; without its value when the topic does not accept its size. */
function createStoreDeadLetter({ publish }: KafkaPublisher, group: string) {
  return (message: FetchedMessage, reason: string): Promise<void> =>
    publish([toDeadLetter(message, group, reason)]).catch((error: unknown) => {
      if (!(error instanceof MessageTooLargeError)) throw error;
      return publish([withoutItsValue(message, group, reason)]);
    });
}
