import { setTimeout as delay } from "node:timers/promises";
import { channels } from "@crosszone/contracts";
import { Admin, type BaseOptions } from "@platformatic/kafka";
import type { ChannelName } from "./kafka-bus.ts";
import { BusUnavailableError, errorNames, withTimeLimit, MissingTopicsError } from "./kafka-errors.ts";

export type TopicNames = Readonly<Record<ChannelName, string>>;

export interface NewTopics {
  /** Number of partitions: the maximum number of processes that handle one group's messages in parallel. */
  readonly partitions: number;
}

export const channelNames = Object.keys(channels) as readonly ChannelName[];

/** Returns the contract's topic names, after an installation's prefix. */
export const topicNames = (prefix = ""): TopicNames =>
  Object.fromEntries(
    channelNames.map((channel) => [channel, prefix + channels[channel].topic]),
  ) as unknown as TopicNames;

const limitMs = 10_000;

/**
 * Checks that all topics exist, and creates missing ones if `create` is set, for messages of `messageBytes` at most. An existing topic keeps
 * its settings. Throws a `MissingTopicsError` or a `BusUnavailableError`.
 */
export async function checkTopics(
  admin: Admin,
  topics: TopicNames,
  { messageBytes, create }: { readonly messageBytes: number; readonly create: NewTopics | undefined },
): Promise<void> {
  const needed = Object.values(topics);
  const findMissing = async (): Promise<readonly string[]> => {
    const there = new Set(await admin.listTopics());
    return needed.filter((topic) => !there.has(topic));
  };
  const missing = await inTime(findMissing);
  if (missing.length === 0) return;
  if (create === undefined) throw new MissingTopicsError(missing, messageBytes);
  const { partitions } = create;
  const configs = [{ name: "max.message.bytes", value: String(messageBytes) }];
  await inTime(async () => {
    for (const topic of missing)
      await admin.createTopics({ topics: [topic], partitions, configs }).catch((error: unknown) => {
        // Another process has created it meanwhile.
        if (errorNames(error).has("TOPIC_ALREADY_EXISTS")) return;
        throw forbidden.some((name) => errorNames(error).has(name))
          ? new MissingTopicsError(missing, messageBytes)
          : error;
      });
    // Brokers learn of a new topic after a short delay.
    while ((await findMissing()).length > 0) await delay(50);
  });
}

const inTime = <T>(operation: () => Promise<T>): Promise<T> =>
  withTimeLimit(operation(), limitMs, "asking Kafka for its topics").catch((cause: unknown) => {
    throw cause instanceof MissingTopicsError ? cause : new BusUnavailableError(cause);
  });

const forbidden = ["TOPIC_AUTHORIZATION_FAILED", "CLUSTER_AUTHORIZATION_FAILED"];

/** Creates an admin client that waits no longer than its caller. */
export const newAdmin = (options: BaseOptions): Admin => new Admin({ ...options, retries: 2 });
