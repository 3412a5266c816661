import type { Admin } from "@platformatic/kafka";
import type { ChannelName, QueueReading } from "./kafka-bus.ts";

/** Offsets by topic and partition. */
type TopicOffsets = ReadonlyMap<string, ReadonlyMap<number, bigint>>;

/** Special timestamps of the protocol. https://kafka.apache.org/41/protocol#The_Messages_ListOffsets */
const places = { end: -1n, first: -2n } as const;

/** Returns, for each partition, the offset of the first stored message, or the one after the last. */
async function listOffsets(admin: Admin, topics: readonly string[], place: keyof typeof places): Promise<TopicOffsets> {
  const { topics: found } = await admin.metadata({ topics: [...topics] });
  const asked = topics.map((name) => ({
    name,
    partitions: (found.get(name)?.partitions ?? []).map((_, partitionIndex) => ({
      partitionIndex,
      timestamp: places[place],
    })),
  }));
  const listed = await admin.listOffsets({ topics: asked });
  const offsets = new Map<string, Map<number, bigint>>();
  for (const { name, partitions } of listed) {
    const ofTopic = offsets.get(name) ?? new Map<number, bigint>();
    for (const { partitionIndex, offset } of partitions) ofTopic.set(partitionIndex, offset);
    offsets.set(name, ofTopic);
  }
  return offsets;
}

/** Returns a group's committed offsets by topic and partition. Partitions without a commit are absent. */
async function committedOffsets(admin: Admin, groupId: string, topic: string): Promise<ReadonlyMap<number, bigint>> {
  const groups = await admin.listConsumerGroupOffsets({ groups: [groupId] });
  const listed = groups.flatMap(({ topics }) => topics.filter(({ name }) => name === topic));
  return new Map(
    listed.flatMap(({ partitions }) =>
      partitions.flatMap(({ partitionIndex, committedOffset }) =>
        committedOffset < 0n ? [] : [[partitionIndex, committedOffset] as const],
      ),
    ),
  );
}

export interface KnownGroup {
  readonly channel: ChannelName;
  readonly group: string;
  readonly topic: string;
  readonly groupId: string;
}

/** Reads the lag of groups from their offsets. */
export function createKafkaQueues(admin: Admin, groups: readonly KnownGroup[]): () => Promise<readonly QueueReading[]> {
  /** How long a partition's offset has not moved. */
  const standing = new Map<string, { readonly offset: bigint; readonly since: number }>();

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
    let oldest: number | undefined;
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
