import type { Admin } from "@platformatic/kafka";
import type { ChannelName } from "./bus-message.ts";
import type { QueueReading } from "./kafka-bus.ts";
import { committedOffsets, listOffsets, type TopicOffsets } from "./topic-offsets.ts";

/** A consumer group in Kafka. */
export interface KnownGroup {
  readonly channel: ChannelName;
  readonly group: string;
  readonly topic: string;
  readonly groupId: string;
}

/** How long a partition's offset has not moved. */
interface Standing {
  readonly offset: bigint;
  readonly since: number;
}

/**
 * Reads the lag of groups from their offsets. The age of the oldest message is exact for this process's messages. For partitions of others
 * it is a lower bound: how long their offset has not moved while messages waited.
 */
export function createKafkaQueues(
  admin: Admin,
  groups: readonly KnownGroup[],
  oldestOf: (groupId: string) => number | undefined,
): () => Promise<readonly QueueReading[]> {
  const standing = new Map<string, Standing>();

  function standsSince(key: string, offset: bigint): number {
    const before = standing.get(key);
    if (before?.offset === offset) return before.since;
    const since = Date.now();
    standing.set(key, { offset, since });
    return since;
  }

  async function read(known: KnownGroup, first: TopicOffsets, end: TopicOffsets): Promise<QueueReading> {
    const { channel, group, topic, groupId } = known;
    const committed = await committedOffsets(admin, groupId, topic);
    let waiting = 0;
    let oldest = oldestOf(groupId);
    for (const [partition, last] of end.get(topic) ?? []) {
      const kept = first.get(topic)?.get(partition) ?? 0n;
      const at = committed.get(partition) ?? kept;
      // Expired messages are gone, handled or not.
      const from = at < kept ? kept : at;
      const key = `${groupId} ${topic} ${partition}`;
      if (last <= from) {
        standing.delete(key);
        continue;
      }
      waiting += Number(last - from);
      oldest = Math.min(oldest ?? Infinity, standsSince(key, from));
    }
    const oldestMs = waiting === 0 || oldest === undefined ? 0 : Math.max(0, Date.now() - oldest);
    return { channel, group, waiting, oldestMs };
  }

  return async () => {
    const topics = [...new Set(groups.map(({ topic }) => topic))];
    if (topics.length === 0) return [];
    const [first, end] = await Promise.all([listOffsets(admin, topics, "first"), listOffsets(admin, topics, "end")]);
    return Promise.all(groups.map((known) => read(known, first, end)));
  };
}
