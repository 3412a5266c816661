import { repeat } from "@crosszone/service-kit/timing";
import type { Admin, BaseOptions } from "@platformatic/kafka";
import { defaultRedelivery, type GroupConsumer, type Redelivery, startConsumer } from "./group-consumer.ts";
import { type BusEmit, type BusMessage, type ChannelName, consumerGroups, type KafkaBus } from "./kafka-bus.ts";
import { BusUnavailableError, withTimeLimit } from "./kafka-errors.ts";
import { createKafkaPublisher, type OutgoingRecord } from "./kafka-publisher.ts";
import { createKafkaQueues, type KnownGroup } from "./kafka-queues.ts";
import {
  channelNames,
  checkTopics,
  newAdmin,
  type NewTopics,
  problemOfTopics,
  readTopics,
  topicNames,
  type TopicNames,
  type TopicState,
} from "./kafka-topics.ts";
import { keyOf, onlyForGroup, readBusMessage } from "./read-messages.ts";

export interface KafkaSettings {
  /** `host:port` of some brokers; they name the others. */
  readonly brokers: readonly string[];
  /** The client's name in the brokers' logs and quotas. */
  readonly clientId: string;
  /** TLS: `true` trusts Node's certificate authorities; PEM texts replace them. */
  readonly tls?: boolean | KafkaTls;
  readonly sasl?: KafkaLogin;
}

/** Certificates and a key, as PEM text. */
interface KafkaTls {
  /** Certificate authorities that replace Node's. */
  readonly ca?: string;
  /** The client's certificate and key, if brokers require one. */
  readonly cert?: string;
  readonly key?: string;
}

/** SASL. `PLAIN` sends the password unencrypted and requires TLS. https://kafka.apache.org/41/documentation/#security_sasl */
interface KafkaLogin {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
  readonly username: string;
  readonly password: string;
}

/** Returns the options of the library's clients. Throws a `TypeError` for settings that would leak a secret or have no broker. */
export function clientOptions({ brokers, clientId, tls = false, sasl }: KafkaSettings): BaseOptions {
  if (brokers.length === 0) throw new TypeError("Kafka needs at least one broker, as host:port");
  if (sasl?.mechanism === "PLAIN" && tls === false && !brokers.every(isLoopback))
    throw new TypeError("SASL PLAIN sends the password unencrypted: turn on TLS for Kafka, or use SCRAM-SHA-512");
  const options = {
    clientId,
    bootstrapBrokers: [...brokers],
    connectTimeout: 5_000,
    retryDelay: 250,
    sasl,
  };
  if (tls === false) return options;
  const texts = tls === true ? undefined : tls;
  return { ...options, tls: { minVersion: "TLSv1.2", ...texts } };
}

const isLoopback = (broker: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(broker);

/** Options of a Kafka bus, in addition to the connection; times are milliseconds. */
export interface KafkaBusOptions extends KafkaSettings {
  /** Text before the name of each topic. Default: none. */
  readonly topicPrefix?: string;
  /** Settings of created topics. If absent, missing topics are an error. */
  readonly createTopics?: NewTopics;
  /** Largest message in created topics, bytes (default 1,048,588, as in Kafka). */
  readonly messageBytes?: number;
  /** Reports events; they are ignored when absent. */
  readonly emit?: BusEmit;
  readonly redelivery?: Partial<Redelivery>;
  /** Session timeout of a consumer, milliseconds (default 10 s). After a crash, the whole group waits this long. */
  readonly sessionMs?: number;
  /** Timeout of a publish, milliseconds (default 10 s). */
  readonly publishMs?: number;
}

/**
 * Creates a bus on Apache Kafka, for many processes. Throws a `MissingTopicsError` that names missing topics, and a `BusUnavailableError`
 * when no broker can be reached. Later on, it reconnects automatically.
 */
export async function createKafkaBus(options: KafkaBusOptions): Promise<KafkaBus> {
  const { createTopics: create, messageBytes = 1_048_588, redelivery, emit = () => undefined } = options;
  const { sessionMs = 10_000, publishMs = 10_000 } = options;
  const client = clientOptions(options);
  const topics = topicNames(options.topicPrefix);
  const names = Object.values(topics);
  const admin: Admin = newAdmin(client);
  let atStart: ReadonlyMap<string, TopicState>;
  try {
    await checkTopics(admin, topics, { messageBytes, create });
    atStart = await withTimeLimit(readTopics(admin, names), publishMs, "asking Kafka for its topics");
  } catch (error) {
    await admin.close();
    throw error;
  }
  const publisher = createKafkaPublisher(client, publishMs);
  const consumers = new Map<GroupConsumer, ChannelName>();
  const closing = new AbortController();
  const changes = createTopicWatch(atStart);
  const look = async (): Promise<void> => {
    const changed = changes(await readTopics(admin, names));
    for (const [channel, topic] of Object.entries(topics) as [ChannelName, string][]) {
      const change = changed.get(topic);
      if (change !== undefined) emit("bus_topic_changed", { channel, ...change });
      for (const [consumer, of] of consumers)
        if (of === channel) (change === undefined ? consumer.settle : consumer.renew)();
    }
  };
  // What fails is reported by the consumers, and by `ping`.
  void repeat(
    () => inTime(look).catch(() => undefined),
    () => lookEveryMs,
    closing.signal,
  );
  const readQueues = createKafkaQueues(admin, knownGroups(topics));
  const inTime = <T>(operation: () => Promise<T>): Promise<T> =>
    withTimeLimit(operation(), publishMs, "asking Kafka").catch((cause: unknown) => {
      throw new BusUnavailableError(cause);
    });

  return {
    publish: (messages) => publisher.publish(messages.map((message) => () => toRecord(message, topics))),

    publishAgain: async (channel, { bytes, headers, group }) => {
      const read = readBusMessage(channel, bytes);
      const key = "value" in read ? Buffer.from(keyOf({ channel, value: read.value })) : undefined;
      const all = group === undefined ? headers : { ...headers, [onlyForGroup]: group };
      return (await publisher.publish([() => ({ topic: topics[channel], key, value: bytes, headers: all })]))[0];
    },

    consume: async (channel, consumed) => {
      if (!consumerGroups[channel].includes(consumed.group))
        throw new TypeError(`the group ${consumed.group} is not declared for ${channel}`);
      const consumer = startConsumer({
        client,
        channel,
        topic: topics[channel],
        groupId: groupIdOf(topics, channel, consumed.group),
        options: consumed,
        emit,
        redelivery: { ...defaultRedelivery, ...redelivery },
        times: { sessionMs, rebalanceMs: Math.max(sessionMs, 10_000) },
      });
      consumers.set(consumer, channel);
      await consumer.begun;
      return { close: (graceMs) => consumer.close(graceMs).finally(() => consumers.delete(consumer)) };
    },

    readQueues: () => inTime(readQueues),

    ping: () => inTime(async () => problemOfTopics(names, await readTopics(admin, names))),

    close: async () => {
      closing.abort();
      await Promise.all([...consumers.keys()].map((consumer) => consumer.close()));
      consumers.clear();
      await publisher.close();
      await withTimeLimit(admin.close(), 5_000, "closing").catch(() => undefined);
    },
  };
}

/** Time between two looks at the topics, milliseconds. */
const lookEveryMs = 5_000;

/**
 * Returns a function that compares topics with what their consumers know, and returns those that have changed. A change counts when two looks
 * in a row agree: the brokers learn of it one after the other.
 */
function createTopicWatch(atStart: ReadonlyMap<string, TopicState>) {
  const known = new Map(atStart);
  let last = atStart;
  const isSame = (one: TopicState | undefined, other: TopicState | undefined): boolean =>
    one?.id === other?.id && one?.partitions === other?.partitions;
  return (found: ReadonlyMap<string, TopicState>) => {
    const changed = new Map<string, { readonly partitions: number; readonly before: number }>();
    for (const [topic, state] of found) {
      const before = known.get(topic);
      if (isSame(before, state) || !isSame(last.get(topic), state)) continue;
      known.set(topic, state);
      changed.set(topic, { partitions: state.partitions, before: before?.partitions ?? 0 });
    }
    last = found;
    return changed;
  };
}

/** Returns a message as a record of its topic. Throws a `TypeError` for a message that does not match its channel. */
function toRecord(message: BusMessage, topics: TopicNames): OutgoingRecord {
  const { channel, value, headers = {} } = message;
  return {
    topic: topics[channel],
    key: Buffer.from(keyOf(message)),
    value: Buffer.from(JSON.stringify(value)),
    headers,
  };
}

const groupIdOf = (topics: TopicNames, channel: ChannelName, group: string): string => `${group}.${topics[channel]}`;

const knownGroups = (topics: TopicNames): readonly KnownGroup[] =>
  channelNames.flatMap((channel) =>
    consumerGroups[channel].map((group) => {
      return { channel, group, topic: topics[channel], groupId: groupIdOf(topics, channel, group) };
    }),
  );
