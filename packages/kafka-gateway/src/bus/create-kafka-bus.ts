import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import type { Admin, BaseOptions } from "@platformatic/kafka";
import { defaultRedelivery, type Redelivery, toRecord } from "./deliver-message.ts";
import { type GroupMember, type GroupTimes, joinGroup } from "./group-member.ts";
import { type BusEmit, type ChannelName, consumerGroups, type KafkaBus, type SubscribeOptions } from "./kafka-bus.ts";
import { createKafkaDeadLetters, createKafkaQueues, type KnownGroup } from "./kafka-dead-letters.ts";
import { BusUnavailableError, createOutageReport, withTimeLimit } from "./kafka-errors.ts";
import { createKafkaPublisher, type KafkaPublisher } from "./kafka-publisher.ts";
import { channelNames, checkTopics, newAdmin, type NewTopics, topicNames, type TopicNames } from "./kafka-topics.ts";
import { createMessageFlow } from "./message-flow.ts";
import { createOffsetCommits } from "./offset-commits.ts";

const rejoin: Backoff = { firstMs: 100, longestMs: 5_000 };
const lastStepMs = 5_000;

/** Participates in a consumer group while it is open. When a membership ends, it joins again. */
function startKafkaSubscription<Name extends ChannelName>(deps: {
  readonly client: BaseOptions;
  readonly channel: Name;
  readonly topic: string;
  readonly groupId: string;
  readonly options: SubscribeOptions<Name>;
  readonly publisher: KafkaPublisher;
  readonly emit: BusEmit;
  readonly redelivery: Redelivery;
  readonly times: GroupTimes;
}) {
  const { channel, topic, groupId, options, emit, times } = deps;
  const { group, concurrency } = options;
  const place = { channel, group };
  const outage = createOutageReport((error) => emit("bus_unreachable", { ...place, cause: error }));
  const closing = new AbortController();
  const begun = Promise.withResolvers<void>();
  let member: GroupMember | undefined;
  const flow = createMessageFlow({
    ...deps,
    place,
    concurrency,
    closing: closing.signal,
    onEnded: () => commits.request(),
  });
  const commits = createOffsetCommits({ progress: flow.progress, member: () => member, outage });

  /** Runs one membership to its end. */
  async function beMember(): Promise<void> {
    const { onMessage, onAssigned } = flow;
    const joined = await joinGroup({ client: deps.client, groupId, topic, times, onAssigned, onMessage });
    if (closing.signal.aborted) return joined.leave();
    member = joined;
    outage.worked();
    begun.resolve();
    commits.request();
    const problem = await joined.ended;
    // Closing also leaves the group.
    if (closing.signal.aborted) return;
    member = undefined;
    await joined.leave();
    throw problem ?? new Error("the membership in the group has ended");
  }

  const takingPart = rejoining(closing.signal, async () => {
    await beMember().catch(outage.failed);
    begun.resolve();
    if (!closing.signal.aborted) flow.onAssigned(new Set(), true);
  });

  async function end(graceMs: number): Promise<void> {
    closing.abort();
    member?.stopFetching();
    flow.releaseRoom();
    flow.lanes.hurry();
    await withTimeLimit(flow.lanes.idle(), graceMs, "handling").catch(() => undefined);
    commits.request();
    await withTimeLimit(commits.finished(), lastStepMs, "committing").catch(outage.failed);
    for (const of of flow.progress()) of.abort();
    await member?.leave();
    // A failed commit is not retried.
    member = undefined;
    await withTimeLimit(takingPart, lastStepMs, "leaving the group").catch(() => undefined);
  }
  let ended: Promise<void> | undefined;

  return {
    groupId,
    /** Resolves when this process has joined the group, or has failed to and retries. */
    begun: begun.promise,
    /** Returns when the oldest unfinished message of this process was published, Unix milliseconds. */
    oldest: (): number | undefined => {
      const published = [...flow.progress()].flatMap((of) => of.oldest() ?? []);
      return published.length === 0 ? undefined : Math.min(...published);
    },
    close: (graceMs = lastStepMs): Promise<void> => (ended ??= end(graceMs)),
  };
}

/** Runs memberships one after the other, with a backoff in between, until `closing` is aborted. */
async function rejoining(closing: AbortSignal, runMembership: () => Promise<void>): Promise<void> {
  for (let failures = 1; !closing.aborted; failures += 1) {
    const startedAt = performance.now();
    await runMembership();
    if (closing.aborted) return;
    // A membership that lasted resets the backoff.
    if (performance.now() - startedAt > 60_000) failures = 1;
    await delay(backoffMs(rejoin, failures), undefined, { signal: closing }).catch(() => undefined);
  }
}

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
  const admin: Admin = newAdmin(client);
  try {
    await checkTopics(admin, topics, { messageBytes, create });
  } catch (error) {
    await admin.close();
    throw error;
  }
  const publisher = createKafkaPublisher(client, publishMs);
  const subscriptions = new Set<ReturnType<typeof startKafkaSubscription>>();
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
