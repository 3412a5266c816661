import { randomUUID } from "node:crypto";
import { createAlarm } from "../alarm.ts";
import type { BusObserver } from "../bus-observer.ts";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import { keyOf } from "../codec/message-codec.ts";
import type { BusMessage, ChannelName, MessageHeaders } from "../bus-message.ts";
import { MessageTooLargeError } from "./kafka-errors.ts";
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
  /** Returns a replacement for a message that is too large for its topic. The message itself becomes a dead letter in any case. */
  readonly insteadOfTooLarge?: ((message: BusMessage) => BusMessage | undefined) | undefined;
}

interface Outgoing {
  readonly row: OutboxRow;
  readonly message: BusMessage;
  readonly record: OutgoingRecord;
}

export interface OutboxRelay {
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const idleMs = 500;

/** Returns a message as a record of its topic. Throws a `TypeError` for a message that does not match its channel. */
export function toRecord(message: BusMessage, topics: TopicNames): OutgoingRecord {
  const { channel, value, headers = {} } = message;
  return {
    topic: topics[channel],
    key: Buffer.from(keyOf(message)),
    value: Buffer.from(JSON.stringify(value)),
    headers,
  };
}

/** Publishes the messages of the outbox in order, and deletes each once Kafka has stored it. */
export function startOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  const { rows, codec, topics, publisher, observer, leaseMs, insteadOfTooLarge } = deps;
  const alarm = createAlarm();
  const closing = new AbortController();
  // The row has no readable channel; most rows are results.
  const outage = createToldOnce((error) =>
    observer.unreachable?.({ channel: "agent_results", group: "outbox", error }),
  );

  /** Turns a message that can never be sent into a dead letter, so that it does not block later ones. */
  async function bury(row: OutboxRow, reason: string): Promise<void> {
    await rows.bury(row, reason);
    observer.deadLettered?.({ channel: row.channel as ChannelName, group: "outbox", attempt: 1, reason });
  }

  async function open(row: OutboxRow): Promise<readonly Outgoing[]> {
    try {
      const value = codec.fromColumn(row.value, messageContext(row)) as BusMessage["value"];
      const headers = JSON.parse(row.headers) as MessageHeaders;
      const message = { channel: row.channel as ChannelName, value, headers };
      return [{ row, message, record: toRecord(message, topics) }];
    } catch {
      await bury(row, "the message of the outbox cannot be read or unsealed");
      return [];
    }
  }

  async function send(outgoing: readonly Outgoing[]): Promise<void> {
    const sent = await Promise.allSettled(outgoing.map(({ record }) => publisher.publish([record])));
    const problems = sent.map((one): unknown => (one.status === "rejected" ? one.reason : undefined));
    for (const problem of problems)
      if (problem !== undefined && !(problem instanceof MessageTooLargeError)) throw problem;
    for (const [index, { row, message }] of outgoing.entries()) {
      const problem = problems[index];
      if (!(problem instanceof MessageTooLargeError)) continue;
      const instead = insteadOfTooLarge?.(message);
      if (instead !== undefined) await publisher.publish([toRecord(instead, topics)]);
      await bury(row, problem.message);
    }
  }

  /** Resolves with true when there may be more. */
  async function relaySome(): Promise<boolean> {
    const lease = randomUUID();
    const taken = await rows.take(lease, leaseMs);
    if (taken.length === 0) return false;
    try {
      const outgoing: Outgoing[] = [];
      for (const row of taken) outgoing.push(...(await open(row)));
      await send(outgoing);
      await rows.remove(lease, taken);
      return true;
    } catch (error) {
      await rows.giveBack(lease, taken).catch(() => undefined);
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
      if (!hasMore) await alarm.sleep(idleMs);
    }
  }
  const working = work();

  return {
    wake: alarm.wake,
    close: async () => {
      closing.abort();
      alarm.wake();
      await working;
    },
  };
}
