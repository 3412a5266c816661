import type { CallHeaders } from "@crosszone/agent-calls";
import { channels, type Channels, problemsOf } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import { outageOf } from "@crosszone/sql";
import type { BusEmit, BusMessage, BusPlace, ChannelName, DeadLetter, SubscribeOptions } from "./kafka-bus.ts";
import { BusUnavailableError, DeadLetterError } from "./kafka-errors.ts";
import type { OutgoingRecord } from "./kafka-publisher.ts";
import type { TopicNames } from "./kafka-topics.ts";

/**
 * Returns the key of a message; messages with one key are handled in order. Throws a `TypeError` for a message that does not match its
 * channel, so that no unreadable message is published.
 */
export function keyOf({ channel, value }: BusMessage): string {
  const problems = problemsIn(channel, value);
  if (problems !== undefined) throw new TypeError(`cannot be published on ${channel}: ${problems}`);
  return String((value as Readonly<Record<string, unknown>>)[channels[channel].key]);
}

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

/** Levels of nested arrays and objects of a message: an answer of an agent has up to 128. */
const mostLevels = 256;

/** Parses a message's JSON. Throws a `DeadLetterError`, caused by a `JsonTextError`, for one that is not JSON or would change. */
export function parseMessage(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(bytes, { maxDepth: mostLevels });
  } catch (cause) {
    throw new DeadLetterError(`the message ${(cause as Error).message}`, { cause });
  }
}

/** Returns a valid message of the channel. Otherwise throws a `DeadLetterError` that names the problems. */
export function checkMessage<Name extends ChannelName>(channel: Name, json: unknown): Channels[Name] {
  const problems = problemsIn(channel, json);
  if (problems !== undefined) throw new DeadLetterError(`not a message of ${channel}: ${problems}`);
  return json as Channels[Name];
}

function problemsIn(channel: ChannelName, value: unknown): string | undefined {
  const found = problemsOf(channels[channel].message, value);
  if (found.length === 0) return undefined;
  return found.map(({ pointer, message }) => `${pointer || "the message"} ${message}`).join("; ");
}

/** Headers of a dead letter, in addition to those of its message. */
export const letterHeaders = {
  reason: "dead-letter-reason",
  topic: "dead-letter-topic",
  partition: "dead-letter-partition",
  offset: "dead-letter-offset",
  group: "dead-letter-group",
  attempts: "dead-letter-attempts",
  at: "dead-letter-at",
} as const;

/** On a replayed message: the only group that handles it. */
export const onlyForGroup = "only-for-group";

/** In a dead-letter topic: the id of a letter that was replayed. */
export const replayed = "dead-letter-replayed";

const ours: ReadonlySet<string> = new Set([...Object.values(letterHeaders), onlyForGroup]);

/** Returns the headers of the message itself. */
export const headersOfMessage = (headers: CallHeaders): CallHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name)));

/** Converts Kafka's headers to text. Of several with one name, the last wins. */
export const readHeaders = (entries: Iterable<readonly [Buffer | null, Buffer | null]>): CallHeaders =>
  Object.fromEntries([...entries].map(([name, value]) => [name?.toString() ?? "", value?.toString() ?? ""]));

/** How a message is delivered again after its handler failed. */
export interface Redelivery extends Backoff {
  /** A message becomes a dead letter after this many deliveries. Deliveries during an outage of the database or the bus do not count. */
  readonly mostAttempts: number;
}

/** About six minutes, in twenty deliveries. */
export const defaultRedelivery: Redelivery = { firstMs: 100, longestMs: 30_000, mostAttempts: 20 };

/** A message for a group to handle. */
export interface PendingMessage {
  readonly bytes: Buffer;
  readonly headers: CallHeaders;
  /** Number of deliveries by this process. */
  attempt: number;
  readonly signal: AbortSignal;
}

export interface DeliverDeps<Name extends ChannelName> {
  readonly place: BusPlace & { readonly channel: Name };
  readonly options: SubscribeOptions<Name>;
  readonly emit: BusEmit;
  readonly redelivery: Redelivery;
}

/**
 * Delivers a message once. Resolves with undefined when this group is done with it: handled, a dead letter, or reassigned. Otherwise
 * resolves with the delay before the next delivery, milliseconds. Never rejects. `storeDeadLetter` resolves when it is stored.
 */
export async function deliverMessage<Name extends ChannelName>(
  deps: DeliverDeps<Name>,
  message: PendingMessage,
  storeDeadLetter: (reason: string) => Promise<void>,
): Promise<number | undefined> {
  const { place, emit, redelivery } = deps;
  message.attempt += 1;
  const { attempt, signal } = message;
  try {
    await handleOrStore(deps, message, storeDeadLetter);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const retryAfterMs = backoffMs(redelivery, attempt);
    emit("bus_message_failed", { ...place, attempt, again_in_ms: Math.round(retryAfterMs), cause: error });
    return retryAfterMs;
  }
}

async function handleOrStore<Name extends ChannelName>(
  { place, options, emit, redelivery }: DeliverDeps<Name>,
  { bytes, headers, attempt, signal }: PendingMessage,
  storeDeadLetter: (reason: string) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  let json: unknown;
  try {
    json = parseMessage(bytes);
    await options.handle({ value: checkMessage(place.channel, json), headers, attempt, signal });
  } catch (error) {
    const reason = deadLetterReason(error, attempt >= redelivery.mostAttempts);
    if (reason === undefined || signal.aborted) throw error;
    // Of a message whose values would change, the ids are still readable.
    const cause = error instanceof DeadLetterError ? error.cause : undefined;
    const changed = cause instanceof JsonTextError;
    if (changed) json = cause.value;
    const letter: DeadLetter = { channel: place.channel, bytes, headers, json, changed, reason };
    await options.onDeadLetter?.(letter);
    await storeDeadLetter(reason);
    emit("bus_message_dead", { ...place, attempt, because: reason });
    return;
  }
  const duration_ms = performance.now() - startedAt;
  if (!signal.aborted) emit("bus_message_handled", { ...place, attempt, duration_ms });
}

/**
 * Returns why a message becomes a dead letter; undefined if it will be delivered again. An error of a handler can quote people's text, so
 * only its name is stored.
 */
function deadLetterReason(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof DeadLetterError) return error.message;
  // During an outage of the bus or the database, a delivery does not count as an attempt.
  if (!isLast || error instanceof BusUnavailableError || outageOf(error) !== undefined) return undefined;
  return `all deliveries failed, the last one with ${error instanceof Error ? error.name : "no error"}`;
}
