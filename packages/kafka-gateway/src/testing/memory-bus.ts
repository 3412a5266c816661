import { setImmediate as turn } from "node:timers/promises";
import {
  type BusMessage,
  type ChannelName,
  type ConsumeOptions,
  type DeadLetter,
  type Fetched,
  type KafkaBus,
  soleAddressee,
} from "../bus/kafka-bus.ts";
import { BusUnavailableError, MessageTooLargeError } from "../bus/kafka-errors.ts";
import { keyOf } from "../bus/read-messages.ts";

type Consumer = ConsumeOptions<ChannelName> & { readonly channel: ChannelName; isOpen: boolean };

/** Creates topics in memory, for processes of one test. What can't be stored is delivered again at once. */
export function createMemoryTopics() {
  const consumers: Consumer[] = [];
  const waiting: BusMessage[] = [];
  let sources = 0;

  /** Delivers a message to one consumer of each group. Resolves when they have stored it. */
  async function distribute(message: BusMessage): Promise<void> {
    const open = consumers.filter(({ channel, isOpen }) => isOpen && channel === message.channel);
    if (open.length === 0) return void waiting.push(message);
    const { value, headers = {} } = JSON.parse(JSON.stringify(message)) as BusMessage;
    const sole = soleAddressee(message.channel, headers);
    const members = [...Map.groupBy(open, ({ group }) => group).values()].flatMap(([consumer]) => consumer ?? []);
    const addressed = members.filter(({ group }) => (sole ?? group) === group);
    await Promise.all(addressed.map((consumer) => deliver({ messages: [{ value, headers }], letters: [] }, consumer)));
  }

  const topics = {
    /** Everything that was published. */
    published: [] as BusMessage[],
    /** How many messages each request to publish had. */
    requests: [] as number[],
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
      const letter = {
        channel,
        bytes: Buffer.from(JSON.stringify(json)),
        headers: {},
        json,
        changed,
        reason,
        attempts: 1,
      };
      const source = String((sources += 1));
      for (const consumer of consumers)
        if (consumer.isOpen && consumer.channel === channel)
          await consumer.store({ messages: [], letters: [{ ...letter, group: consumer.group, source }] });
    },
    newBus: (): KafkaBus => {
      const own: Consumer[] = [];
      const closeAll = async (): Promise<void> => own.forEach((consumer) => void (consumer.isOpen = false));
      const publishOne = (message: BusMessage): Error | undefined => {
        keyOf(message);
        const size = JSON.stringify(message.value).length;
        if (size > topics.mostSize) return new MessageTooLargeError(message.channel, size);
        topics.published.push(message);
        void distribute(message);
        return undefined;
      };
      return {
        publish: async (messages) => {
          await turn();
          if (topics.isAway) throw new BusUnavailableError(new Error("away"));
          topics.requests.push(messages.length);
          return messages.map(publishOne);
        },
        publishAgain: async (channel, { bytes, headers }) =>
          publishOne({ channel, value: JSON.parse(bytes.toString()) as never, headers }),
        consume: async (channel, options) => {
          const consumer = { ...options, channel, isOpen: true } as unknown as Consumer;
          consumers.push(consumer);
          own.push(consumer);
          for (const message of waiting.splice(0)) void distribute(message);
          return { close: closeAll };
        },
        readQueues: async () => [],
        ping: async () => undefined,
        close: closeAll,
      };
    },
  };
  return topics;
}

async function deliver(fetched: Fetched, consumer: Consumer): Promise<void> {
  for (let attempt = 1; consumer.isOpen && attempt <= 100; attempt += 1) {
    try {
      return await consumer.store(fetched);
    } catch {
      await turn();
    }
  }
}
