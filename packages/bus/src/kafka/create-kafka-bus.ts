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

/** What a bus over Kafka is made with, beside how its brokers are reached; times are milliseconds. */
export interface KafkaBusOptions<Tables extends BusTables> extends KafkaSettings {
  /** Topics under other names than those of the contract. */
  readonly topics?: Partial<TopicNames>;
  /** How topics are made that are not there; without it they are reported. */
  readonly createTopics?: NewTopics;
  /** Largest message in created topics, bytes (default 1,048,588, as in Kafka). */
  readonly messageBytes?: number;
  /** All groups that there are: their queues are read, and a message may be for one of them alone. */
  readonly groups: ConsumerGroups;
  /** In front of the names of the consumer groups, as in `crosszone.`; default none. A group is named `<prefix><group>.<topic>`. */
  readonly groupPrefix?: string;
  /** Whose transactions use the outbox; it has the tables of `busStep`. Stays open when the bus is closed. */
  readonly database: Database<Tables>;
  /** Seals what waits in the outbox; JSON in clear when absent. Topics have JSON in clear. */
  readonly codec?: ColumnCodec;
  readonly observer?: Partial<BusObserver>;
  readonly redelivery?: Partial<Redelivery>;
  /** How long a process may be silent before others get its messages, milliseconds (default 10 s). Until then the whole group waits for one that was killed. */
  readonly sessionMs?: number;
  /** How long dead letters are kept: those of the outbox, and topics of dead letters that are made; milliseconds (default 14 days). */
  readonly deadLetterMs?: number;
  /** How long a publish may take, milliseconds (default 10 s). */
  readonly publishMs?: number;
  /**
   * What of the outbox is sent in the place of a message that is larger than its topic takes, so that nobody waits for it in vain;
   * the message itself is a dead letter of the database.
   */
  readonly insteadOfTooLarge?: (message: BusMessage) => BusMessage | undefined;
}

/**
 * A bus on Apache Kafka, for many processes. Throws a `MissingTopicsError` that names topics which are not there, and a
 * `BusUnavailableError` when no broker can be reached; later on, it comes back to them by itself.
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
  // It asks for its own tables only.
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
