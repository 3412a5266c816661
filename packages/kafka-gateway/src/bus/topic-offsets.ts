import type { Admin } from "@platformatic/kafka";

/** Offsets by topic and partition. */
export type TopicOffsets = ReadonlyMap<string, ReadonlyMap<number, bigint>>;

/** Special timestamps of the protocol. https://kafka.apache.org/41/protocol#The_Messages_ListOffsets */
const places = { end: -1n, first: -2n } as const;

/** Returns, for each partition, the offset of the first stored message, or the one after the last. */
export async function listOffsets(
  admin: Admin,
  topics: readonly string[],
  place: keyof typeof places,
): Promise<TopicOffsets> {
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
export async function committedOffsets(
  admin: Admin,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, bigint>> {
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
