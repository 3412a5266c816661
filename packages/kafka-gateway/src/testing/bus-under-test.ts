import { randomUUID } from "node:crypto";
import { Producer } from "@platformatic/kafka";
import { expect, onTestFinished } from "vitest";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { Redelivery } from "../bus/group-consumer.ts";
import type { BusMessage, ChannelName, DeadLetter, Delivery, KafkaBus } from "../bus/kafka-bus.ts";
import { topicNames } from "../bus/kafka-topics.ts";

/** Backoff for contract tests: as short as possible. */
export const contractRedelivery: Redelivery = { firstMs: 10, longestMs: 50, mostAttempts: 5 };

/** A task for an agent; `input` identifies it. */
export function taskMessage(key: string, input: unknown = null): BusMessage<"agent_tasks"> {
  return {
    channel: "agent_tasks",
    value: { run_id: "run", task_id: key, agent_name: "agent", input_data: input, correlation_id: "correlation" },
    headers: { "data-owner": "team" },
  };
}

export function resultMessage(key: string): BusMessage<"agent_results"> {
  return {
    channel: "agent_results",
    value: {
      run_id: "run",
      task_id: key,
      status: "SUCCESS",
      output_data: { text: "ü \u0000 \ud800" },
      correlation_id: "correlation",
      error_message: null,
      timestamp: "2026-01-01T00:00:00Z",
    },
  };
}

/** Generous: joining a broker's group is slow, and the machine may be busy. */
export const soon = { timeout: 60_000, interval: 20 };

interface Consuming<Name extends ChannelName> {
  readonly group?: string;
  /** Called for each message; its error is that of all that were fetched with it. */
  readonly handle?: (delivery: Delivery<Name>) => Promise<void>;
  readonly onLetters?: (letters: readonly DeadLetter[]) => Promise<void>;
}

/** Consumes a channel. `done`: the messages that are stored, in order, and `letters` the dead letters. */
export async function consume<Name extends ChannelName>(
  bus: KafkaBus,
  channel: Name,
  { group = "agent-bridge", handle, onLetters }: Consuming<Name> = {},
) {
  const done: Delivery<Name>[] = [];
  const letters: DeadLetter[] = [];
  const fetches: number[] = [];
  const subscription = await bus.consume(channel, {
    group,
    store: async (fetched) => {
      for (const message of fetched.messages) await handle?.(message);
      await onLetters?.(fetched.letters);
      done.push(...fetched.messages);
      letters.push(...fetched.letters);
      fetches.push(fetched.messages.length);
    },
  });
  return {
    done,
    letters,
    /** How many messages each transaction had. */
    fetches,
    subscription,
    /** Returns the inputs of the stored tasks. */
    inputs: () => done.map(({ value }) => (value as { readonly input_data?: unknown }).input_data),
    /** Waits until this many are stored. */
    until: async (count: number) => {
      await expect.poll(() => done.length, soon).toBeGreaterThanOrEqual(count);
    },
  };
}

/** Waits until a group has no messages left. */
export async function drained(bus: KafkaBus, channel: ChannelName): Promise<void> {
  await expect
    .poll(async () => (await bus.readQueues()).filter((queue) => queue.channel === channel && queue.waiting > 0), soon)
    .toEqual([]);
}

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
