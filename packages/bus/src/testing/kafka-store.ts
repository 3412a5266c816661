import { randomUUID } from "node:crypto";
import { channels } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { Producer } from "@platformatic/kafka";
import type { Transaction } from "kysely";
import { onTestFinished } from "vitest";
import { createKafkaBus, type KafkaBusOptions } from "../kafka/create-kafka-bus.ts";
import { topicNames, type TopicNames } from "../kafka/kafka-topics.ts";
import type { BusTables } from "../embedded/bus-tables.ts";
import type { MessageBus } from "../message-bus.ts";
import { contractGroups, contractRedelivery, type BusStore } from "./bus-under-test.ts";
import { openBusDatabase } from "./open-bus-database.ts";

export interface KafkaStore extends BusStore {
  readonly topics: TopicNames;
  readonly newBus: (options?: Partial<KafkaBusOptions<BusTables>>) => Promise<MessageBus>;
}

/** As short as a busy machine allows. A killed process is noticed after this time. */
const sessionMs = 6_000;

/** Separate topics for a test on a running broker, and a database for the outbox. */
export async function newKafkaStore(brokers: readonly string[], newDatabase = newSqliteDatabase): Promise<KafkaStore> {
  const url = await newDatabase();
  const database = await openBusDatabase(url);
  onTestFinished(() => database.close());
  const run = randomUUID();
  const topics = topicNames(
    Object.fromEntries(Object.entries(channels).map(([channel, { topic }]) => [channel, `${topic}.${run}`])),
  );
  const settings = { brokers, topics, createTopics: { partitions: 4, replicas: 1 }, sessionMs };
  const program = new URL("kafka-consumer-program.ts", import.meta.url).pathname;
  return {
    topics,
    newBus: async (options = {}) => {
      const bus = await createKafkaBus({
        ...settings,
        clientId: "contract",
        database,
        groups: contractGroups,
        redelivery: contractRedelivery,
        ...options,
      });
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
    transaction: (change) => database.transaction((tx) => change(tx as unknown as Transaction<never>)),
    standingConsumer: ["--conditions=@crosszone/source", program, url, JSON.stringify(settings)],
    afterCrashMs: 60_000,
  };
}
