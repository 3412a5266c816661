import type { Database } from "@crosszone/sql";
import type { Admin } from "@platformatic/kafka";
import type { BusObserver } from "../bus-observer.ts";
import { BusUnavailableError } from "../bus-unavailable-error.ts";
import { plainColumns, type ColumnCodec } from "../codec/column-codec.ts";
import type { BusTables } from "../embedded/bus-tables.ts";
import { forgetDeadLetters } from "../embedded/forget-dead-letters.ts";
import type { ConsumerGroups } from "../addressees.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";
import type { MessageBus } from "../message-bus.ts";
import { defaultRedelivery, type Redelivery } from "../redelivery.ts";
import { inTime } from "./in-time.ts";
import { createKafkaDeadLetters } from "./kafka-dead-letters.ts";
import { createKafkaPublisher } from "./kafka-publisher.ts";
import { createKafkaQueues, type KnownGroup } from "./kafka-queues.ts";
import { clientOptions, type KafkaSettings } from "./kafka-settings.ts";
import { startKafkaSubscription, type KafkaSubscription } from "./kafka-subscription.ts";
import { channelNames, checkTopics, newAdmin, topicNames, type NewTopics, type TopicNames } from "./kafka-topics.ts";
import { createOutboxRows } from "./outbox-rows.ts";
import { startOutboxRelay, toRecord } from "./outbox-relay.ts";

/** Options of a Kafka bus, in addition to the connection; times are milliseconds. */
export interface KafkaBusOptions<Tables extends BusTables> extends KafkaSettings {
  /** Topic names that replace those of the contract. */
  readonly topics?: Partial<TopicNames>;
  /** Settings of created topics. If absent, missing topics are an error. */
  readonly createTopics?: NewTopics;
  /** Largest message in created topics, bytes (default 1,048,588, as in Kafka). */
  readonly messageBytes?: number;
  /** All groups. Their queues are measured, and a message can be for one of them only. */
  readonly groups: ConsumerGroups;
  /** Prefix of consumer group names, such as `crosszone.`; default none. A group is named `<prefix><group>.<topic>`. */
  readonly groupPrefix?: string;
  /** The database of the outbox, with the tables of `busStep`. Stays open when the bus is closed. */
  readonly database: Database<Tables>;
  /** Seals messages in the outbox. Default: unsealed JSON. Topics always have unsealed JSON. */
  readonly codec?: ColumnCodec;
  readonly observer?: Partial<BusObserver>;
  readonly redelivery?: Partial<Redelivery>;
  /** Session timeout of a consumer, milliseconds (default 10 s). After a crash, the whole group waits this long. */
  readonly sessionMs?: number;
  /** Retention of dead letters in the outbox and in created dead-letter topics, milliseconds (default 14 days). */
  readonly deadLetterMs?: number;
  /** Timeout of a publish, milliseconds (default 10 s). */
  readonly publishMs?: number;
  /**
   * Returns a replacement for an outbox message that is too large for its topic, so that its receiver is not left waiting. The message
   * itself becomes a dead letter in the database.
   */
  readonly insteadOfTooLarge?: (message: BusMessage) => BusMessage | undefined;
}

/**
 * Creates a bus on Apache Kafka, for many processes. Throws a `MissingTopicsError` that names missing topics, and a `BusUnavailableError`
 * when no broker can be reached. Later on, it reconnects automatically.
 */
export async function createKafkaBus<Tables extends BusTables>(options: KafkaBusOptions<Tables>): Promise<MessageBus> {
  const { groups, groupPrefix = "", codec = plainColumns, observer = {} } = options;
  const {
    createTopics: create,
    messageBytes = 1_048_588,
    redelivery,
    sessionMs = 10_000,
    publishMs = 10_000,
    deadLetterMs = 14 * 86_400_000,
  } = options;
  const client = clientOptions(options);
  const topics = topicNames(options.topics);
  const groupIdOf = (channel: ChannelName, group: string): string => `${groupPrefix}${group}.${topics[channel]}`;
  const admin: Admin = newAdmin(client);
  try {
    await checkTopics(admin, topics, { messageBytes, deadLetterMs, create });
  } catch (error) {
    await admin.close();
    throw error;
  }
  const publisher = createKafkaPublisher(client, publishMs);
  // It uses only its own tables.
  const database = options.database as unknown as Database<BusTables>;
  const rows = createOutboxRows(database, codec);
  const stopForgetting = forgetDeadLetters(database, deadLetterMs);
  const { insteadOfTooLarge } = options;
  const leaseMs = 2 * publishMs;
  const relay = startOutboxRelay({ rows, codec, topics, publisher, observer, leaseMs, insteadOfTooLarge });
  const subscriptions = new Set<KafkaSubscription>();
  const known = channelNames.flatMap((channel) =>
    (groups[channel] ?? []).map((group): KnownGroup => ({
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
    kind: "kafka",

    publish: async (messages) => publisher.publish(messages.map((message) => toRecord(message, topics))),

    subscribe: async (channel, subscribed) => {
      if (!groups[channel]?.includes(subscribed.group))
        throw new TypeError(`the group ${subscribed.group} is not declared for ${channel}`);
      const subscription = startKafkaSubscription({
        client,
        channel,
        topic: topics[channel],
        groupId: groupIdOf(channel, subscribed.group),
        groups,
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

    outbox: { add: (transaction, messages) => rows.add(transaction, messages), wake: () => relay.wake() },

    deadLetters: createKafkaDeadLetters({ client, admin, topics, publisher }),

    readQueues: () => reach(readQueues),

    ping: () => reach(async () => void (await admin.metadata({ topics: Object.values(topics), forceUpdate: true }))),

    close: async () => {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      subscriptions.clear();
      await Promise.all([relay.close(), stopForgetting()]);
      await publisher.close();
      await inTime(admin.close(), 5_000, "closing").catch(() => undefined);
    },
  };
}
