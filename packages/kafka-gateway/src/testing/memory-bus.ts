import { setImmediate as turn } from "node:timers/promises";
import {
  type BusMessage,
  type ChannelName,
  type DeadLetter,
  type KafkaBus,
  soleAddressee,
  type SubscribeOptions,
} from "../bus/kafka-bus.ts";
import { BusUnavailableError, MessageTooLargeError } from "../bus/kafka-errors.ts";
import { keyOf } from "../bus/deliver-message.ts";

type Consumer = SubscribeOptions<ChannelName> & { readonly channel: ChannelName; isOpen: boolean };

/** Creates topics in memory, for processes of one test. A message that fails is delivered again at once. */
export function createMemoryTopics() {
  const consumers: Consumer[] = [];
  const waiting: BusMessage[] = [];

  /** Delivers a message to one consumer of each group. */
  function distribute(message: BusMessage): void {
    const open = consumers.filter(({ channel, isOpen }) => isOpen && channel === message.channel);
    if (open.length === 0) return void waiting.push(message);
    for (const [consumer] of Map.groupBy(open, ({ group }) => group).values())
      if (consumer !== undefined) void deliver(message, consumer);
  }

  const topics = {
    /** Everything that was published. */
    published: [] as BusMessage[],
    /** Publishing fails while it is set. */
    isAway: false,
    /** Larger messages are refused, characters. */
    mostSize: Infinity,
    /** Delivers a message again, as a topic may. */
    redeliver: distribute,
    /** Delivers what no message is, as a dead letter (default: of a task). */
    refuse: async (
      json: unknown,
      reason: string,
      { channel = "agent_tasks", changed = false }: Partial<DeadLetter> = {},
    ) => {
      const bytes = Buffer.from(JSON.stringify(json));
      for (const consumer of consumers)
        if (consumer.isOpen && consumer.channel === channel)
          await consumer.onDeadLetter?.({ channel, bytes, headers: {}, json, changed, reason });
    },
    newBus: (): KafkaBus => {
      const own: Consumer[] = [];
      const closeAll = async (): Promise<void> => own.forEach((consumer) => void (consumer.isOpen = false));
      return {
        publish: async (messages) => {
          await turn();
          if (topics.isAway) throw new BusUnavailableError(new Error("away"));
          for (const message of messages) {
            keyOf(message);
            const size = JSON.stringify(message.value).length;
            if (size > topics.mostSize) throw new MessageTooLargeError(message.channel, size);
            topics.published.push(message);
            distribute(message);
          }
        },
        subscribe: async (channel, options) => {
          const consumer = { ...options, channel, isOpen: true } as unknown as Consumer;
          consumers.push(consumer);
          own.push(consumer);
          for (const message of waiting.splice(0)) distribute(message);
          return { close: closeAll };
        },
        deadLetters: { list: async () => [], replay: async () => 0 },
        readQueues: async () => [],
        ping: async () => undefined,
        close: closeAll,
      };
    },
  };
  return topics;
}

const signal = new AbortController().signal;

async function deliver(message: BusMessage, consumer: Consumer): Promise<void> {
  const { channel, value, headers = {} } = JSON.parse(JSON.stringify(message)) as BusMessage;
  const sole = soleAddressee(channel, headers);
  if (sole !== undefined && sole !== consumer.group) return;
  for (let attempt = 1; consumer.isOpen && attempt <= 100; attempt += 1) {
    try {
      return await consumer.handle({ value, headers, attempt, signal });
    } catch {
      await turn();
    }
  }
}
