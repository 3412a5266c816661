import { channels, type Channels, problemsOf } from "@crosszone/contracts";
import { parseExactJson } from "@crosszone/contracts/json";
import type { CallHeaders } from "@crosszone/agent-calls";
import type { BusMessage, ChannelName } from "./bus-message.ts";
import { DeadLetterError } from "./kafka-errors.ts";
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
