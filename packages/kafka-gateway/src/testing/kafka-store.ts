import { randomUUID } from "node:crypto";
import { Producer } from "@platformatic/kafka";
import { onTestFinished } from "vitest";
import type { ChannelName } from "../bus/bus-message.ts";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import { topicNames } from "../bus/kafka-topics.ts";
import { contractRedelivery } from "./bus-under-test.ts";

/** Topics of its own on a broker, for several processes. Empty at first. */
export type KafkaStore = Awaited<ReturnType<typeof newKafkaStore>>;

/** As short as a busy machine allows. A killed process is noticed after this time. */
const sessionMs = 6_000;

/** Separate topics for a test on a running broker. */
export async function newKafkaStore(brokers: readonly string[]) {
  const topicPrefix = `${randomUUID()}.`;
  const topics = topicNames(topicPrefix);
  const settings = { brokers, topicPrefix, createTopics: { partitions: 4 }, sessionMs, clientId: "contract" };
  const program = new URL("kafka-consumer-program.ts", import.meta.url).pathname;
  return {
    topics,
    /** The options of a client of these topics. */
    settings,
    /** Creates a bus as another process would, closed with the test. Its backoff is short. */
    newBus: async (options: Partial<KafkaBusOptions> = {}) => {
      const bus = await createKafkaBus({ ...settings, redelivery: contractRedelivery, ...options });
      onTestFinished(() => bus.close());
      return bus;
    },
    /** Writes a text that no program of ours would publish. */
    publishText: async (channel: ChannelName, key: string, text: string) => {
      const producer = new Producer({ clientId: "somebody", bootstrapBrokers: [...brokers] });
      try {
        const message = { topic: topics[channel], key: Buffer.from(key), value: Buffer.from(text) };
        await producer.send({ messages: [message], acks: -1 });
      } finally {
        await producer.close();
      }
    },
    /** Arguments of `node` for a program that creates such a bus and calls `runStandingConsumer`: a process to kill. */
    standingConsumer: ["--conditions=@crosszone/source", program, JSON.stringify(settings)],
  };
}
