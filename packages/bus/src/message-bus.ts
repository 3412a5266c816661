import type { Channels } from "@crosszone/contracts";
import type { BusMessage, ChannelName, MessageHeaders } from "./bus-message.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { Outbox } from "./outbox.ts";

/** A message as delivered to a consumer. */
export interface Delivery<Name extends ChannelName = ChannelName> {
  readonly value: Channels[Name];
  readonly headers: MessageHeaders;
  /** From 1. Above 1, the message was delivered before; the bus may not know of every earlier delivery. */
  readonly attempt: number;
  /** Aborts when the message is reassigned, or the subscription is closed without waiting. */
  readonly signal: AbortSignal;
}

/** A message that can't be read or handled. It is stored as a dead letter, and later messages are handled. */
export interface DeadLetter {
  readonly channel: ChannelName;
  /** The original message. */
  readonly bytes: Uint8Array;
  readonly headers: MessageHeaders;
  /** Its JSON, if it is valid. */
  readonly json: unknown;
  readonly reason: string;
}

/** Consumer group, concurrency and handler of a subscription. */
export interface SubscribeOptions<Name extends ChannelName> {
  /** Consumers of one group share the messages; each group gets all of them. */
  readonly group: string;
  /** Maximum number of messages handled at once by this subscription. */
  readonly concurrency: number;
  /**
   * Resolves when the effects of the message are durable; the message is then committed. Throws a `DeadLetterError` for a message that can
   * never be handled. After any other error the message is delivered again, up to the bus's limit of attempts; after an outage of the
   * database or the bus, without a limit. The same message can be delivered more than once.
   */
  readonly handle: (delivery: Delivery<Name>) => Promise<void>;
  /** Called before a dead letter is stored and its message committed; can be called again for the same one. */
  readonly onDeadLetter?: (letter: DeadLetter) => Promise<void>;
}

/** A consumer, until it is closed. */
export interface Subscription {
  /** Takes no more messages and waits up to `graceMs` for running handlers. Unfinished messages are delivered again. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/** Waiting messages of a group in a channel. */
export interface QueueReading {
  readonly channel: ChannelName;
  readonly group: string;
  /** Uncommitted messages: the lag. */
  readonly waiting: number;
  /** Age of the oldest of them, milliseconds; 0 if none. */
  readonly oldestMs: number;
}

/**
 * Delivers published messages to every subscribed group, at least once. Messages of one key are handled in sequence, those of different
 * keys concurrently, so that a slow one delays only its own key. Messages of overlapping transactions have no order, and two processes may
 * handle such messages of one key at the same time.
 */
export interface MessageBus {
  readonly kind: "embedded" | "kafka";
  /**
   * Resolves when all messages are durable. Throws a `BusUnavailableError` when the bus is unreachable, and a `TypeError` for a message
   * that does not match its channel.
   */
  readonly publish: (messages: readonly BusMessage[]) => Promise<void>;
  readonly subscribe: <Name extends ChannelName>(
    channel: Name,
    options: SubscribeOptions<Name>,
  ) => Promise<Subscription>;
  /** Publishes atomically with a change of the database. */
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly readQueues: () => Promise<readonly QueueReading[]>;
  /** Rejects when the bus is unreachable. */
  readonly ping: () => Promise<void>;
  /** Closes all subscriptions first. */
  readonly close: () => Promise<void>;
}
