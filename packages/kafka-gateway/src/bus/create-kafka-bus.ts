import type { ConnectionOptions as TlsOptions } from "node:tls";
import type { Admin, BaseOptions } from "@platformatic/kafka";
import { type BusEmit, type ChannelName, consumerGroups } from "./bus-message.ts";
import { defaultRedelivery, type Redelivery } from "./deliver-message.ts";
import type { KafkaBus } from "./kafka-bus.ts";
import { createKafkaDeadLetters } from "./kafka-dead-letters.ts";
import { BusUnavailableError, withTimeLimit } from "./kafka-errors.ts";
import { createKafkaPublisher } from "./kafka-publisher.ts";
import { createKafkaQueues, type KnownGroup } from "./kafka-queues.ts";
import { type KafkaSubscription, startKafkaSubscription } from "./kafka-subscription.ts";
import { channelNames, checkTopics, newAdmin, type NewTopics, topicNames, type TopicNames } from "./kafka-topics.ts";
import { toRecord } from "./message-codec.ts";

/** Connection settings of a Kafka cluster. */
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
type KafkaLogin =
  | {
      readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
      readonly username: string;
      readonly password: string;
    }
  /** Called for each connection. */
  | { readonly mechanism: "OAUTHBEARER"; readonly token: () => string | Promise<string> };

/** Returns the options of the library's clients. Throws a `TypeError` for settings that would leak a secret or have no broker. */
export function clientOptions({ brokers, clientId, tls = false, sasl }: KafkaSettings): BaseOptions {
  if (brokers.length === 0) throw new TypeError("Kafka needs at least one broker, as host:port");
  if (sasl?.mechanism === "PLAIN" && tls === false && !brokers.every(isLoopback))
    throw new TypeError("SASL PLAIN sends the password unencrypted: turn on TLS for Kafka, or use SCRAM-SHA-512");
  return {
    clientId,
    bootstrapBrokers: [...brokers],
    connectTimeout: 5_000,
    retryDelay: 250,
    ...(tls !== false && { tls: tlsOptions(tls) }),
    sasl,
  };
}

const tlsOptions = (tls: true | KafkaTls): TlsOptions => ({ minVersion: "TLSv1.2", ...(tls !== true && tls) });

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
  const admin: Admin = newAdmin(client);
  try {
    await checkTopics(admin, topics, { messageBytes, create });
  } catch (error) {
    await admin.close();
    throw error;
  }
  const publisher = createKafkaPublisher(client, publishMs);
  const subscriptions = new Set<KafkaSubscription>();
  const oldestOf = (groupId: string): number | undefined => {
    const times = [...subscriptions].flatMap((one) => (one.groupId === groupId ? (one.oldest() ?? []) : []));
    return times.length === 0 ? undefined : Math.min(...times);
  };
  const readQueues = createKafkaQueues(admin, knownGroups(topics), oldestOf);
  const inTime = <T>(operation: () => Promise<T>): Promise<T> =>
    withTimeLimit(operation(), publishMs, "asking Kafka").catch((cause: unknown) => {
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
        groupId: groupIdOf(topics, channel, subscribed.group),
        options: subscribed,
        publisher,
        emit,
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

    readQueues: () => inTime(readQueues),

    ping: () => inTime(async () => void (await admin.metadata({ topics: Object.values(topics), forceUpdate: true }))),

    close: async () => {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      subscriptions.clear();
      await publisher.close();
      await withTimeLimit(admin.close(), 5_000, "closing").catch(() => undefined);
    },
  };
}

const groupIdOf = (topics: TopicNames, channel: ChannelName, group: string): string => `${group}.${topics[channel]}`;

const knownGroups = (topics: TopicNames): readonly KnownGroup[] =>
  channelNames.flatMap((channel) =>
    consumerGroups[channel].map((group) => {
      return { channel, group, topic: topics[channel], groupId: groupIdOf(topics, channel, group) };
    }),
  );
