import type { CallHeaders } from "@crosszone/agent-calls";
import type { Channels } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** A channel of the contract, `channels.json`, which defines its topic, its message and the member that is the key. */
export type ChannelName = keyof Channels;

/** A message to publish, with its channel. A bridge copies the headers of a task to its result. */
export interface BusMessage<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly value: Channels[Name];
  readonly headers?: CallHeaders;
}

export interface BusPlace {
  readonly channel: ChannelName;
  readonly group: string;
}

/** Reports the events of the bus and of its gateway by name. Must not throw. */
export type BusEmit = Emit<ExecutionEvent>;

/** Consumer groups: the bridge consumes agent tasks; tasks and workflow runs consume the results. */
export const consumerGroups: Readonly<Record<ChannelName, readonly string[]>> = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
};

/** The allowed values of the labels `channel` and `group`. */
export const busLabels: Readonly<Record<"channel" | "group", readonly string[]>> = {
  channel: Object.keys(consumerGroups),
  group: [...new Set(Object.values(consumerGroups).flat())],
};

/**
 * Returns the only group that a message is for, by its header `reply-to`. Undefined if it is for all groups of the channel: the header is
 * absent or names another channel's group, as on the task that it replies to.
 */
export function soleAddressee(channel: ChannelName, headers: CallHeaders): string | undefined {
  const { "reply-to": group } = headers;
  return group !== undefined && consumerGroups[channel].includes(group) ? group : undefined;
}

/** How long dead letters are kept, in the table and in created topics: 14 days, in milliseconds. */
export const deadLetterMs: number = 14 * 86_400_000;

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
