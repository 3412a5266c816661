import { randomUUID } from "node:crypto";
import { Producer } from "@platformatic/kafka";
import { expect, onTestFinished } from "vitest";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { Redelivery } from "../bus/deliver-message.ts";
import type { BusMessage, ChannelName, Delivery, KafkaBus, SubscribeOptions } from "../bus/kafka-bus.ts";
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

/** Subscribes a consumer. `done`: the messages that it has handled, in order of completion. */
export async function consume<Name extends ChannelName>(
  bus: KafkaBus,
  channel: Name,
  {
    handle = async () => undefined,
    group = "agent-bridge",
    concurrency = 16,
    ...options
  }: Partial<SubscribeOptions<Name>> = {},
) {
  const done: Delivery<Name>[] = [];
  const subscription = await bus.subscribe(channel, {
    group,
    concurrency,
    ...options,
    handle: async (delivery) => {
      await handle(delivery);
      done.push(delivery);
    },
  });
  return {
    done,
    subscription,
    /** Returns the inputs of the handled tasks. */
    inputs: () => done.map(({ value }) => (value as { readonly input_data?: unknown }).input_data),
    /** Waits until this many are handled. */
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
