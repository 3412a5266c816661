import { randomUUID } from "node:crypto";
import type { BusObserver } from "../bus-observer.ts";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import { keyOf } from "../codec/message-codec.ts";
import { createConsumerPause } from "../embedded/consumer-pause.ts";
import type { BusMessage, ChannelName, MessageHeaders } from "../bus-message.ts";
import type { KafkaPublisher, OutgoingRecord } from "./kafka-publisher.ts";
import type { TopicNames } from "./kafka-topics.ts";
import type { OutboxRow, OutboxRows } from "./outbox-rows.ts";
import { createToldOnce } from "./told-once.ts";

export interface OutboxRelayDeps {
  readonly rows: OutboxRows;
  readonly codec: ColumnCodec;
  readonly topics: TopicNames;
  readonly publisher: KafkaPublisher;
  readonly observer: Partial<BusObserver>;
  /** Longer than a publish takes, milliseconds. */
  readonly leaseMs: number;
}

export interface OutboxRelay {
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const idleMs = 500;

/** A message of the bus as a record of its topic. Throws a `TypeError` for one that its channel does not carry. */
export function toRecord(message: BusMessage, topics: TopicNames): OutgoingRecord {
  const { channel, value, headers = {} } = message;
  return {
    topic: topics[channel],
    key: Buffer.from(keyOf(message)),
    value: Buffer.from(JSON.stringify(value)),
    headers,
  };
}

/** Publishes what transactions have left in the outbox, in its order, and takes it away when Kafka has it. */
export function startOutboxRelay({ rows, codec, topics, publisher, observer, leaseMs }: OutboxRelayDeps): OutboxRelay {
  const pause = createConsumerPause();
  const closing = new AbortController();
  // It is of no channel; results are what most of it is.
  const outage = createToldOnce((error) =>
    observer.unreachable?.({ channel: "agent_results", group: "outbox", error }),
  );

  /** What cannot be read is put aside: it must not stop what is behind it. */
  async function open(row: OutboxRow): Promise<readonly OutgoingRecord[]> {
    const channel = row.channel as ChannelName;
    try {
      const value = codec.fromColumn(row.value, messageContext(row)) as BusMessage["value"];
      return [toRecord({ channel, value, headers: JSON.parse(row.headers) as MessageHeaders }, topics)];
    } catch {
      const reason = "the message of the outbox cannot be read or unsealed";
      await rows.bury(row, reason);
      observer.deadLettered?.({ channel, group: "outbox", attempt: 1, reason });
      return [];
    }
  }

  /** Tells whether there may be more. */
  async function relaySome(): Promise<boolean> {
    const lease = randomUUID();
    const taken = await rows.take(lease, leaseMs);
    if (taken.length === 0) return false;
    try {
      const records: OutgoingRecord[] = [];
      for (const row of taken) records.push(...(await open(row)));
      await publisher.publish(records);
      await rows.remove(lease);
      return true;
    } catch (error) {
      await rows.giveBack(lease).catch(() => undefined);
      throw error;
    }
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await relaySome();
        outage.worked();
      } catch (error) {
        outage.failed(error);
      }
      if (!hasMore) await pause.wait(idleMs);
    }
  }
  const working = work();

  return {
    wake: pause.wake,
    close: async () => {
      closing.abort();
      pause.wake();
      await working;
    },
  };
}
