import type { Admin } from "@platformatic/kafka";
import type { BusObserver } from "./bus-observer.ts";
import { consumerGroups } from "./consumer-groups.ts";
import type { ChannelName } from "./bus-message.ts";
import type { KafkaBus } from "./kafka-bus.ts";
import { defaultRedelivery, type Redelivery } from "./deliver-message.ts";
import { BusUnavailableError } from "./kafka-errors.ts";
import { inTime } from "./in-time.ts";
import { createKafkaDeadLetters } from "./kafka-dead-letters.ts";
import { createKafkaPublisher } from "./kafka-publisher.ts";
import { createKafkaQueues, type KnownGroup } from "./kafka-queues.ts";
import { toRecord } from "./message-codec.ts";
import { clientOptions, type KafkaSettings } from "./kafka-settings.ts";
import { startKafkaSubscription, type KafkaSubscription } from "./kafka-subscription.ts";
import { channelNames, checkTopics, newAdmin, topicNames, type NewTopics, type TopicNames } from "./kafka-topics.ts";

/** Options of a Kafka bus, in addition to the connection; times are milliseconds. */
export interface KafkaBusOptions extends KafkaSettings {
  /** Topic names that replace those of the contract. */
  readonly topics?: Partial<TopicNames>;
  /** Settings of created topics. If absent, missing topics are an error. */
  readonly createTopics?: NewTopics;
  /** Largest message in created topics, bytes (default 1,048,588, as in Kafka). */
  readonly messageBytes?: number;
  readonly observer?: Partial<BusObserver>;
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
  const { createTopics: create, messageBytes = 1_048_588, redelivery, observer = {} } = options;
  const { sessionMs = 10_000, publishMs = 10_000 } = options;
  const client = clientOptions(options);
  const topics = topicNames(options.topics);
  const groupIdOf = (channel: ChannelName, group: string): string => `${group}.${topics[channel]}`;
  const admin: Admin = newAdmin(client);
  try {
    await checkTopics(admin, topics, { messageBytes, create });
  } catch (error) {
    await admin.close();
    throw error;
  }
  const publisher = createKafkaPublisher(client, publishMs);
  const subscriptions = new Set<KafkaSubscription>();
  const known = channelNames.flatMap((channel) =>
    consumerGroups[channel].map((group): KnownGroup => ({
      channel,
      group,
      topic: topics[channel],
      groupId: groupIdOf(channel, group),
    })),
  );
  const oldestOf = (groupId: string): number | undefined => {
    const times = [...subscriptions].flatMap((one) => (one.groupId === groupId ? (one.oldest() ?? []) : []));
    return times.length === 0 ? undefined : Math.min(...times);
  };
  const readQueues = createKafkaQueues(admin, known, oldestOf);
  const reach = <T>(operation: () => Promise<T>): Promise<T> =>
    inTime(operation(), publishMs, "asking Kafka").catch((cause: unknown) => {
      throw new BusUnavailableError(cause);
    });

  return {
    publish: async (messages) => publisher.publish(messages.map((message) => toRecord(message, topics))),

    subscribe: async (channel, subscribed) => {
      if (!consumerGroups[channel].includes(subscribed.group))
        throw new TypeError(`the group ${subscribed.group} is not declared for ${channel}`);
      const subscription = startKafkaSubscription({
        client,
        channel,
        topic: topics[channel],
        groupId: groupIdOf(channel, subscribed.group),
        options: subscribed,
        publisher,
        observer,
        redelivery: { ...defaultRedelivery, ...redelivery },
        times: { sessionMs, rebalanceMs: Math.max(sessionMs, 10_000) },
      });
      subscriptions.add(subscription);
      await subscription.begun;
      return {
        close: (graceMs) => subscription.close(graceMs).finally(() => subscriptions.delete(subscription)),
      };
    },

    deadLetters: createKafkaDeadLetters({ client, admin, topics, publisher }),

    readQueues: () => reach(readQueues),

    ping: () => reach(async () => void (await admin.metadata({ topics: Object.values(topics), forceUpdate: true }))),

    close: async () => {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      subscriptions.clear();
      await publisher.close();
      await inTime(admin.close(), 5_000, "closing").catch(() => undefined);
    },
  };
}
