import type { Channels } from "@crosszone/contracts";
import type { CallHeaders } from "@crosszone/agent-calls";
import type { BusMessage, ChannelName } from "./bus-message.ts";

/** A message as delivered to a consumer. */
export interface Delivery<Name extends ChannelName = ChannelName> {
  readonly value: Channels[Name];
  readonly headers: CallHeaders;
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
  readonly headers: CallHeaders;
  /** Its JSON, if it is valid. */
  readonly json: unknown;
  /** Whether values of the message would change, as in `json`. */
  readonly changed: boolean;
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

/** A stored dead letter, for an operator. */
export interface KeptDeadLetter {
  /** Identifies it for `replay`, within its channel. */
  readonly id: string;
  readonly channel: ChannelName;
  /** The group that failed to handle it. */
  readonly group: string;
  /** Why. */
  readonly reason: string;
  /** Number of deliveries. */
  readonly attempts: number;
  /** When it became a dead letter, Unix milliseconds. */
  readonly at: number;
  readonly headers: CallHeaders;
  /** The original message. */
  readonly bytes: Uint8Array;
}

/** The dead letters of a bus. An operator can replay them once the cause is fixed. */
export interface DeadLetters {
  /** Returns at most `most` dead letters, oldest first. */
  readonly list: (channel: ChannelName, most: number) => Promise<readonly KeptDeadLetter[]>;
  /** Delivers dead letters again to the group that failed, as new messages, oldest first. Returns their number; unknown ids are ignored. */
  readonly replay: (channel: ChannelName, ids: readonly string[] | "all") => Promise<number>;
}

/**
 * Delivers published messages to every subscribed group, at least once. Messages of one key are handled in sequence, those of different
 * keys concurrently, so that a slow one delays only its own key.
 */
export interface KafkaBus {
  /**
   * Resolves when all messages are durable. Throws a `BusUnavailableError` when the bus is unreachable, and a `TypeError` for a message
   * that does not match its channel. A `MessageTooLargeError` when the topic does not accept one; the others are stored then.
   */
  readonly publish: (messages: readonly BusMessage[]) => Promise<void>;
  readonly subscribe: <Name extends ChannelName>(
    channel: Name,
    options: SubscribeOptions<Name>,
  ) => Promise<Subscription>;
  readonly deadLetters: DeadLetters;
  /** Returns the lag of each consumer group. */
  readonly readQueues: () => Promise<readonly QueueReading[]>;
  /** Rejects when the bus is unreachable. */
  readonly ping: () => Promise<void>;
  /** Closes all subscriptions first. */
  readonly close: () => Promise<void>;
}
