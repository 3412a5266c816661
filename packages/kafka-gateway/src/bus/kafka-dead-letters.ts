import type { Admin, BaseOptions } from "@platformatic/kafka";
import type { DeadLetters, KeptDeadLetter } from "./kafka-bus.ts";
import type { ChannelName } from "./bus-message.ts";
import { headersOfMessage, letterHeaders, onlyForGroup, replayed } from "./message-codec.ts";
import type { KafkaPublisher, OutgoingRecord } from "./kafka-publisher.ts";
import { deadLetterTopic, type TopicNames } from "./kafka-topics.ts";
import { readTopic, type KeptRecord } from "./topic-offsets.ts";

export interface KafkaDeadLetterDeps {
  readonly client: BaseOptions;
  readonly admin: Admin;
  readonly topics: TopicNames;
  readonly publisher: KafkaPublisher;
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
export function createKafkaDeadLetters({ client, admin, topics, publisher }: KafkaDeadLetterDeps): DeadLetters {
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
      const headers = { ...kept.headers, ...(kept.group !== "" && { [onlyForGroup]: kept.group }) };
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
