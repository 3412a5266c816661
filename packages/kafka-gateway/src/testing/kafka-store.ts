import { randomUUID } from "node:crypto";
import { Producer } from "@platformatic/kafka";
import { onTestFinished } from "vitest";
import type { ChannelName } from "../bus/bus-message.ts";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import { topicNames, type TopicNames } from "../bus/kafka-topics.ts";
import { contractRedelivery } from "./bus-under-test.ts";

/** Topics of its own on a broker, for several processes. Empty at first. */
export interface KafkaStore {
  readonly topics: TopicNames;
  /** The options of a client of these topics. */
  readonly settings: KafkaBusOptions & { readonly topicPrefix: string };
  /** Creates a bus as another process would, closed with the test. Its backoff is short. */
  readonly newBus: (options?: Partial<KafkaBusOptions>) => Promise<KafkaBus>;
  /** Writes a text that no program of ours would publish. */
  readonly publishText: (channel: ChannelName, key: string, text: string) => Promise<void>;
  /** Arguments of `node` for a program that creates such a bus and calls `runStandingConsumer`: a process to kill. */
  readonly standingConsumer: readonly string[];
}

/** As short as a busy machine allows. A killed process is noticed after this time. */
const sessionMs = 6_000;

/** Separate topics for a test on a running broker. */
export async function newKafkaStore(brokers: readonly string[]): Promise<KafkaStore> {
  const topicPrefix = `${randomUUID()}.`;
  const topics = topicNames(topicPrefix);
  const settings = { brokers, topicPrefix, createTopics: { partitions: 4 }, sessionMs, clientId: "contract" };
  const program = new URL("kafka-consumer-program.ts", import.meta.url).pathname;
  return {
    topics,
    settings,
    newBus: async (options = {}) => {
      const bus = await createKafkaBus({ ...settings, redelivery: contractRedelivery, ...options });
      onTestFinished(() => bus.close());
      return bus;
    },
    publishText: async (channel, key, text) => {
      const producer = new Producer({ clientId: "somebody", bootstrapBrokers: [...brokers] });
      try {
        const message = { topic: topics[channel], key: Buffer.from(key), value: Buffer.from(text) };
        await producer.send({ messages: [message], acks: -1 });
      } finally {
        await producer.close();
      }
    },
    standingConsumer: ["--conditions=@crosszone/source", program, JSON.stringify(settings)],
  };
}
