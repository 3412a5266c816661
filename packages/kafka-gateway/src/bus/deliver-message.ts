import { checkMessage, parseMessage } from "./message-codec.ts";
import type { CallHeaders } from "@crosszone/agent-calls";
import { JsonTextError } from "@crosszone/contracts/json";
import { outageOf } from "@crosszone/sql";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import type { BusEmit, BusPlace, ChannelName } from "./bus-message.ts";
import type { DeadLetter, SubscribeOptions } from "./kafka-bus.ts";
import { BusUnavailableError, DeadLetterError } from "./kafka-errors.ts";

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

export interface DeliverDeps<Name extends ChannelName, Message extends PendingMessage> {
  readonly place: BusPlace & { readonly channel: Name };
  readonly options: Pick<SubscribeOptions<Name>, "handle" | "onDeadLetter">;
  readonly emit: BusEmit;
  readonly redelivery: Redelivery;
  /** Resolves when the dead letter is stored. */
  readonly storeDeadLetter: (message: Message, reason: string) => Promise<void>;
}

/**
 * Delivers a message once. Resolves with undefined when this group is done with it: handled, a dead letter, or reassigned. Otherwise
 * resolves with the delay before the next delivery, milliseconds. Never rejects.
 */
export async function deliverMessage<Name extends ChannelName, Message extends PendingMessage>(
  deps: DeliverDeps<Name, Message>,
  message: Message,
): Promise<number | undefined> {
  const { place, emit, redelivery } = deps;
  message.attempt += 1;
  const { attempt, signal } = message;
  try {
    await handleOrStore(deps, message);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const retryAfterMs = backoffMs(redelivery, attempt);
    emit("bus_message_failed", { ...place, attempt, again_in_ms: Math.round(retryAfterMs), cause: error });
    return retryAfterMs;
  }
}

async function handleOrStore<Name extends ChannelName, Message extends PendingMessage>(
  { place, options, emit, redelivery, storeDeadLetter }: DeliverDeps<Name, Message>,
  message: Message,
): Promise<void> {
  const { bytes, headers, attempt, signal } = message;
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
    await storeDeadLetter(message, reason);
    emit("bus_message_dead", { ...place, attempt, because: reason });
    return;
  }
  const duration_ms = performance.now() - startedAt;
  if (!signal.aborted) emit("bus_message_handled", { ...place, attempt, duration_ms });
}

/** Returns true if an error is an outage of the bus or the database. Such a delivery does not count as an attempt. */
const isOutage = (error: unknown): boolean => error instanceof BusUnavailableError || outageOf(error) !== undefined;

/**
 * Returns why a message becomes a dead letter; undefined if it will be delivered again. An error of a handler can quote people's text, so
 * only its name is stored.
 */
function deadLetterReason(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof DeadLetterError) return error.message;
  if (!isLast || isOutage(error)) return undefined;
  return `all deliveries failed, the last one with ${error instanceof Error ? error.name : "no error"}`;
}
