import type { CallHeaders } from "@crosszone/agent-calls";
import { channels, type Channels, problemsOf } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import type { Message } from "@platformatic/kafka";
import {
  type BusMessage,
  type BusPlace,
  type ChannelName,
  type DeadLetter,
  type Delivery,
  soleAddressee,
} from "./kafka-bus.ts";

/**
 * Returns the key of a message; messages with one key stay in order. Throws a `TypeError` for a message that does not match its channel, so
 * that no unreadable message is published.
 */
export function keyOf({ channel, value }: BusMessage): string {
  const problems = problemsIn(channel, value);
  if (problems !== undefined) throw new TypeError(`cannot be published on ${channel}: ${problems}`);
  return String((value as Readonly<Record<string, unknown>>)[channels[channel].key]);
}

function problemsIn(channel: ChannelName, value: unknown): string | undefined {
  const found = problemsOf(channels[channel].message, value);
  if (found.length === 0) return undefined;
  return found.map(({ pointer, message }) => `${pointer || "the message"} ${message}`).join("; ");
}

/** Levels of nested arrays and objects of a message: an answer of an agent has up to 128. */
const mostLevels = 256;

type Reading<Name extends ChannelName> =
  { readonly value: Channels[Name] } | Pick<DeadLetter, "json" | "changed" | "reason">;

/** Reads the bytes of a message. */
export function readBusMessage<Name extends ChannelName>(channel: Name, bytes: Uint8Array): Reading<Name> {
  let json: unknown;
  try {
    json = parseExactJson(bytes, { maxDepth: mostLevels });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    // Of a message whose values would change, the ids are still readable.
    const changed = cause instanceof JsonTextError && cause.value !== undefined;
    return { json: changed ? cause.value : undefined, changed, reason: `the message ${cause.message}` };
  }
  const problems = problemsIn(channel, json);
  if (problems === undefined) return { value: json as Channels[Name] };
  return { json, changed: false, reason: `not a message of ${channel}: ${problems}` };
}

/** On a message that is delivered again: the only group that it is for. */
export const onlyForGroup = "only-for-group";

/** A message of Kafka for one group, as it was read. */
export interface FetchedMessage<Name extends ChannelName> {
  /** Undefined for one that can't be read. */
  readonly delivery: Delivery<Name> | undefined;
  /** What it is when it can't be read or stored. */
  readonly letter: DeadLetter;
}

/** Reads what was fetched for a group. Messages for other groups are left out. */
export function readMessages<Name extends ChannelName>(
  fetched: readonly Message[],
  { channel, group }: BusPlace & { readonly channel: Name },
): FetchedMessage<Name>[] {
  return fetched.flatMap(({ topic, partition, offset, timestamp, value, headerEntries }) => {
    // Of several headers with one name, the last wins.
    const all: CallHeaders = Object.fromEntries(
      headerEntries.map(([name, text]) => [
        (name as Buffer | null)?.toString() ?? "",
        (text as Buffer | null)?.toString() ?? "",
      ]),
    );
    const { [onlyForGroup]: only, ...headers } = all;
    if ((only ?? soleAddressee(channel, headers) ?? group) !== group) return [];
    const bytes = (value as Buffer | null | undefined) ?? Buffer.alloc(0);
    const found = readBusMessage(channel, bytes);
    const source = [topic, partition, offset, timestamp].join(" ");
    const place = { channel, group, source, bytes, headers, attempts: 1 };
    if (!("value" in found)) return { delivery: undefined, letter: { ...place, ...found } };
    const letter = { ...place, json: found.value, changed: false, reason: "" };
    return { delivery: { value: found.value, headers }, letter };
  });
}
