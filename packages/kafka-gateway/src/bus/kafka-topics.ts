import { setTimeout as delay } from "node:timers/promises";
import { channels } from "@crosszone/contracts";
import { Admin, type BaseOptions } from "@platformatic/kafka";
import type { ChannelName } from "./kafka-bus.ts";
import { BusUnavailableError, errorNames, errorsIn, MissingTopicsError, withTimeLimit } from "./kafka-errors.ts";

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
    const there = new Set(await listTopics(admin));
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

/** A topic as brokers have it now. */
export interface TopicState {
  /** A topic that is deleted and made again has another id. */
  readonly id: string;
  readonly partitions: number;
  /** The partitions that can't be used, because the brokers that have them are away. */
  readonly leaderless: readonly number[];
}

/** A response to a request for metadata, as an error of one topic or partition has it. */
interface MetadataResponse {
  readonly topics: readonly {
    readonly name: string | null;
    readonly topicId: string;
    readonly errorCode: number;
    readonly partitions: readonly { readonly partitionIndex: number; readonly leaderId: number }[];
  }[];
}

/** Reads topics from a broker; one that does not exist is absent. The library makes a problem of one partition an error of all topics. */
export async function readTopics(admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, TopicState>> {
  try {
    const { topics } = await admin.metadata({ topics: [...names], forceUpdate: true });
    return new Map(
      [...topics].map(([name, { id, partitionsCount }]) => [name, { id, partitions: partitionsCount, leaderless: [] }]),
    );
  } catch (error) {
    const found = responseIn(error)?.topics;
    if (found !== undefined) return new Map(found.flatMap((topic) => statesOf(topic, names)));
    const there = new Set(await listTopics(admin));
    if (names.every((name) => there.has(name))) throw error;
    return readTopics(
      admin,
      names.filter((name) => there.has(name)),
    );
  }
}

function statesOf(
  { name, topicId: id, errorCode, partitions }: MetadataResponse["topics"][number],
  names: readonly string[],
) {
  if (name === null || errorCode !== 0 || !names.includes(name)) return [];
  const leaderless = partitions.flatMap(({ partitionIndex, leaderId }) => (leaderId < 0 ? partitionIndex : []));
  return [[name, { id, partitions: partitions.length, leaderless }] as const];
}

/** Returns the response of an error that is about some of its topics only. */
const responseIn = (error: unknown): MetadataResponse | undefined =>
  errorsIn(error)
    .map((one) => (one as { readonly response?: MetadataResponse }).response)
    .find((response) => Array.isArray(response?.topics));

/** Returns the names of all topics, also while partitions of some have no leader. */
const listTopics = (admin: Admin): Promise<readonly string[]> =>
  admin.listTopics().catch((error: unknown) => {
    const found = responseIn(error)?.topics;
    if (found === undefined) throw error;
    return found.flatMap(({ name, errorCode }) => (name === null || errorCode !== 0 ? [] : name));
  });

/** Says what is wrong with topics; undefined when they can be used. */
export function problemOfTopics(names: readonly string[], found: ReadonlyMap<string, TopicState>): string | undefined {
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) return `Kafka has no topic ${missing.join(", ")} any more: create it again`;
  const [name, state] = [...found].find(([, { leaderless }]) => leaderless.length > 0) ?? [];
  if (name === undefined || state === undefined) return undefined;
  const { leaderless, partitions } = state;
  return `${leaderless.length} of ${partitions} partitions of ${name} have no leader: start the brokers that have them`;
}

const forbidden = ["TOPIC_AUTHORIZATION_FAILED", "CLUSTER_AUTHORIZATION_FAILED"];

/** Creates an admin client that waits no longer than its caller. */
export const newAdmin = (options: BaseOptions): Admin => new Admin({ ...options, retries: 2 });
