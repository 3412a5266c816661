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

/** A message as it was fetched. */
export interface Delivery<Name extends ChannelName = ChannelName> {
  readonly value: Channels[Name];
  readonly headers: CallHeaders;
}

/** A message that can't be read or stored. */
export interface DeadLetter extends BusPlace {
  /** Where it is on Kafka: the same for each delivery. */
  readonly source: string;
  /** The original message. */
  readonly bytes: Uint8Array;
  readonly headers: CallHeaders;
  /** Its JSON, if it is valid. */
  readonly json: unknown;
  /** Whether values of the message would change, as in `json`. */
  readonly changed: boolean;
  readonly reason: string;
  /** Number of deliveries. */
  readonly attempts: number;
}

/** What was fetched at once, in the order of each partition. */
export interface Fetched<Name extends ChannelName = ChannelName> {
  readonly messages: readonly Delivery<Name>[];
  readonly letters: readonly DeadLetter[];
}

export interface ConsumeOptions<Name extends ChannelName> {
  /** Consumers of one group share the messages; each group gets all of them. */
  readonly group: string;
  /**
   * Resolves when all messages and dead letters are stored, in one transaction: their offsets are then committed. When it rejects, the same
   * messages come again; after an outage of the database, without a limit. One that can never be stored comes again as a dead letter.
   */
  readonly store: (fetched: Fetched<Name>) => Promise<void>;
}

/** A consumer, until it is closed. */
export interface Subscription {
  /** Takes no more messages and waits up to `graceMs` for those that are being stored. What is not stored is delivered again. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/** Waiting messages of a group in a channel. */
export interface QueueReading {
  readonly channel: ChannelName;
  readonly group: string;
  /** Uncommitted messages: the lag. */
  readonly waiting: number;
  /** How long the group has made no progress in a partition where messages wait, milliseconds; 0 if none wait. */
  readonly oldestMs: number;
}

/** Delivers published messages to every group that consumes them, at least once, those of one key in order. */
export interface KafkaBus {
  /**
   * Resolves when all messages are durable, with why Kafka does not accept one, for each message: a `TypeError` when it does not match its
   * channel, a `MessageTooLargeError` when it is too large for its topic. Throws a `BusUnavailableError` when the bus is unreachable.
   */
  readonly publish: (messages: readonly BusMessage[]) => Promise<readonly (Error | undefined)[]>;
  /** Publishes bytes as they are, for one group, or for all when it is absent. */
  readonly publishAgain: (
    channel: ChannelName,
    message: { readonly bytes: Buffer; readonly headers: CallHeaders; readonly group?: string | undefined },
  ) => Promise<Error | undefined>;
  readonly consume: <Name extends ChannelName>(channel: Name, options: ConsumeOptions<Name>) => Promise<Subscription>;
  /** Returns the lag of each consumer group. */
  readonly readQueues: () => Promise<readonly QueueReading[]>;
  /** Returns a sentence about topics that can't be used; undefined without a problem. Rejects when the bus is unreachable. */
  readonly ping: () => Promise<string | undefined>;
  /** Closes all subscriptions first. */
  readonly close: () => Promise<void>;
}
