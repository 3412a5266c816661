import type { Channels } from "@crosszone/contracts";
import type { BusMessage, ChannelName, MessageHeaders } from "./bus-message.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { Outbox } from "./outbox.ts";

/** A message as a consumer gets it. */
export interface Delivery<Name extends ChannelName = ChannelName> {
  readonly value: Channels[Name];
  readonly headers: MessageHeaders;
  /** From 1. More than 1 says that it was delivered before; the bus may not know of each time. */
  readonly attempt: number;
  /** Aborted when the message is somebody else's by now, or the subscription is closed without waiting. */
  readonly signal: AbortSignal;
}

/** A message that nobody can read or handle. It is kept as a dead letter; the ones behind it are handled. */
export interface DeadLetter {
  readonly channel: ChannelName;
  /** The message as it came. */
  readonly bytes: Uint8Array;
  readonly headers: MessageHeaders;
  /** Its JSON, when it is JSON. */
  readonly json: unknown;
  readonly reason: string;
}

/** Who takes messages of a channel, how many at once, and what is done with them. */
export interface SubscribeOptions<Name extends ChannelName> {
  /** Consumers of one group share the messages; each group gets all of them. */
  readonly group: string;
  /** How many messages are handled at once, by this subscription. */
  readonly concurrency: number;
  /**
   * Resolves when what the message asks for is durable; then it is committed. Throws a `DeadLetterError` for a message that can
   * never be handled; after any other error the message is delivered again, so often as the bus was told, and after one that says
   * that the database or the bus is away as long as that lasts. The same message may come more than once.
   */
  readonly handle: (delivery: Delivery<Name>) => Promise<void>;
  /** Told before a dead letter is kept and its message committed; may be told again of the same one. */
  readonly onDeadLetter?: (letter: DeadLetter) => Promise<void>;
}

/** One consumer, until it is closed. */
export interface Subscription {
  /** Takes no more messages and waits for those that are handled, at most so long; what is not done is delivered again. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/** What waits in a channel for a group. */
export interface QueueReading {
  readonly channel: ChannelName;
  readonly group: string;
  /** Messages that are not committed: the lag. */
  readonly waiting: number;
  /** Since when the oldest of them waits, milliseconds; 0 without any. */
  readonly oldestMs: number;
}

/**
 * Brings messages from those who publish to every group that subscribes, at least once. Messages of one key are handled in order,
 * one after the other; those of different keys at the same time, so that a slow one delays only its own key. What overlapping
 * transactions publish has no order among itself, and two processes may handle such messages of one key at the same time.
 */
export interface MessageBus {
  readonly kind: "embedded" | "kafka";
  /**
   * Resolves when all of them are durable. Throws a `BusUnavailableError` when that cannot be had now, and a `TypeError` for a message
   * that its channel does not carry.
   */
  readonly publish: (messages: readonly BusMessage[]) => Promise<void>;
  readonly subscribe: <Name extends ChannelName>(
    channel: Name,
    options: SubscribeOptions<Name>,
  ) => Promise<Subscription>;
  /** Publishes together with a change of the database: both, or neither. */
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly readQueues: () => Promise<readonly QueueReading[]>;
  /** Rejects when the bus cannot be used. */
  readonly ping: () => Promise<void>;
  /** Closes all subscriptions first. */
  readonly close: () => Promise<void>;
}
