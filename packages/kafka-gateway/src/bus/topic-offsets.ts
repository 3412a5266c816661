import type { CallHeaders } from "@crosszone/agent-calls";
import { type Admin, type BaseOptions, Consumer } from "@platformatic/kafka";
import { readHeaders } from "./message-codec.ts";

/** A stored record of a topic. */
export interface KeptRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer;
  readonly headers: CallHeaders;
}

const controlBatch = 0x20;
const fetchBytes = 1024 * 1024;

/** Reads a whole topic, from its beginning to its current end, partition by partition. Joins no group. */
export async function readTopic(options: BaseOptions, admin: Admin, topic: string): Promise<readonly KeptRecord[]> {
  const [first, end] = [await listOffsets(admin, [topic], "first"), await listOffsets(admin, [topic], "end")];
  const consumer = new Consumer({ ...options, groupId: `${topic}.reader`, retries: 2 });
  try {
    consumer.topics.track(topic);
    const records: KeptRecord[] = [];
    for (const [partition, last] of end.get(topic) ?? []) {
      const from = first.get(topic)?.get(partition) ?? 0n;
      records.push(...(await readPartition(consumer, { topic, partition, from, last })));
    }
    return records;
  } finally {
    await consumer.close(true);
  }
}

interface Span {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  /** The offset after the last record. */
  readonly last: bigint;
}

async function readPartition(consumer: Consumer, { topic, partition, from, last }: Span): Promise<KeptRecord[]> {
  const records: KeptRecord[] = [];
  for (let next = from; next < last;) {
    const { topics } = await consumer.metadata({ topics: [topic] });
    const found = topics.get(topic);
    const node = found?.partitions[partition]?.leader;
    if (found === undefined || node === undefined) throw new Error(`${topic} ${partition} has no leader`);
    const wanted = {
      partition,
      fetchOffset: next,
      partitionMaxBytes: fetchBytes,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
    };
    const request = { node, topics: [{ topicId: found.id, partitions: [wanted] }], maxWaitTime: 500, minBytes: 1 };
    const { responses } = await consumer.fetch({ ...request, maxBytes: fetchBytes });
    const batches = responses.flatMap(({ partitions }) => partitions.flatMap((part) => part.records ?? []));
    for (const { firstOffset, lastOffsetDelta, attributes, records: inBatch } of batches) {
      for (const { offsetDelta, key, value, headers } of (attributes & controlBatch) === 0 ? inBatch : []) {
        const offset = firstOffset + BigInt(offsetDelta);
        if (offset < next || offset >= last) continue;
        records.push({ partition, offset, key, value: value ?? Buffer.alloc(0), headers: readHeaders(headers) });
      }
      next = firstOffset + BigInt(lastOffsetDelta) + 1n;
    }
  }
  return records;
}

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
