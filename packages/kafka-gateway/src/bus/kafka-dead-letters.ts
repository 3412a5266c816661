import type { CallHeaders } from "@crosszone/agent-calls";
import { type Admin, type BaseOptions, Consumer } from "@platformatic/kafka";
import { headersOfMessage, letterHeaders, onlyForGroup, readHeaders, replayed } from "./deliver-message.ts";
import type { ChannelName, DeadLetters, KeptDeadLetter, QueueReading } from "./kafka-bus.ts";
import type { KafkaPublisher, OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic, type TopicNames } from "./kafka-topics.ts";

interface KeptRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer;
  readonly headers: CallHeaders;
}

const controlBatch = 0x20;
const fetchBytes = 1024 * 1024;

/** Reads a whole topic, from its beginning to its current end, partition by partition. Joins no group. */
async function readTopic(options: BaseOptions, admin: Admin, topic: string): Promise<readonly KeptRecord[]> {
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

/** Reads from an offset to `last`, the one after the last record. */
async function readPartition(
  consumer: Consumer,
  {
    topic,
    partition,
    from,
    last,
  }: { readonly topic: string; readonly partition: number; readonly from: bigint; readonly last: bigint },
): Promise<KeptRecord[]> {
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

interface Letter {
  readonly kept: KeptDeadLetter;
  readonly record: KeptRecord;
}

const atOnce = 100;

/**
 * Creates dead letters in a topic for each original topic. Records of a topic are immutable, so a replayed letter is marked by a further
 * record that names it.
 */
export function createKafkaDeadLetters(deps: {
  readonly client: BaseOptions;
  readonly admin: Admin;
  readonly topics: TopicNames;
  readonly publisher: KafkaPublisher;
}): DeadLetters {
  const { client, admin, topics, publisher } = deps;

  async function read(channel: ChannelName): Promise<readonly Letter[]> {
    const records = await readTopic(client, admin, deadLetterTopic(topics[channel]));
    const gone = new Set(records.flatMap(({ headers }) => headers[replayed] ?? []));
    return records
      .filter(({ headers }) => headers[replayed] === undefined)
      .map((record) => ({ record, kept: toKept(channel, record) }))
      .filter(({ kept }) => !gone.has(kept.id))
      .toSorted((a, b) => a.kept.at - b.kept.at);
  }

  async function replaySome(channel: ChannelName, letters: readonly Letter[]): Promise<void> {
    const again = letters.map(({ kept, record }): OutgoingRecord => {
      const headers = kept.group === "" ? kept.headers : { ...kept.headers, [onlyForGroup]: kept.group };
      return { topic: topics[channel], key: record.key ?? undefined, value: record.value, headers };
    });
    const marks = letters.map(({ kept, record }): OutgoingRecord => {
      const topic = deadLetterTopic(topics[channel]);
      return { topic, key: record.key ?? undefined, value: Buffer.alloc(0), headers: { [replayed]: kept.id } };
    });
    await publisher.publish(again);
    await publisher.publish(marks);
  }

  return {
    list: async (channel, most) => (await read(channel)).slice(0, most).map(({ kept }) => kept),
    replay: async (channel, ids) => {
      const chosen = (await read(channel)).filter(({ kept }) => ids === "all" || ids.includes(kept.id));
      for (let at = 0; at < chosen.length; at += atOnce) await replaySome(channel, chosen.slice(at, at + atOnce));
      return chosen.length;
    },
  };
}

function toKept(channel: ChannelName, { partition, offset, value, headers }: KeptRecord): KeptDeadLetter {
  const { reason, group, attempts, at } = letterHeaders;
  return {
    id: `${partition}-${offset}`,
    channel,
    group: headers[group] ?? "",
    reason: headers[reason] ?? "",
    attempts: Number(headers[attempts] ?? 0),
    at: Number(headers[at] ?? 0),
    headers: headersOfMessage(headers),
    bytes: value,
  };
}

export interface KnownGroup {
  readonly channel: ChannelName;
  readonly group: string;
  readonly topic: string;
  readonly groupId: string;
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
