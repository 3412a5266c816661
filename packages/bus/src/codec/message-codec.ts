import { channels, problemsOf, type Channels } from "@crosszone/contracts";
import { DeadLetterError } from "../dead-letter-error.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";

/**
 * The key of a message: those with one key are handled in order. Throws a `TypeError` for a message that its channel does not carry,
 * so that what nobody could read is never published.
 */
export function keyOf({ channel, value }: BusMessage): string {
  const problems = problemsIn(channel, value);
  if (problems !== undefined) throw new TypeError(`cannot be published on ${channel}: ${problems}`);
  return String((value as Readonly<Record<string, unknown>>)[channels[channel].key]);
}

/** The JSON of a message as it came. Throws a `DeadLetterError` for bytes that are none, without a word of their content. */
export function parseMessage(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DeadLetterError("the message is not UTF-8");
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DeadLetterError("the message is not JSON");
  }
}

/** A message of the channel, once its schema says so; else a `DeadLetterError` that names what is wrong. */
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
