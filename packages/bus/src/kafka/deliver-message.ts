import type { BusObserver, BusPlace } from "../bus-observer.ts";
import { checkMessage, parseMessage } from "../codec/message-codec.ts";
import type { ChannelName, MessageHeaders } from "../bus-message.ts";
import type { DeadLetter, SubscribeOptions } from "../message-bus.ts";
import { deadLetterReason } from "../dead-letter-reason.ts";
import { redeliveryDelay, type Redelivery } from "../redelivery.ts";

/** A message for a group to handle. */
export interface PendingMessage {
  readonly bytes: Buffer;
  readonly headers: MessageHeaders;
  /** Number of deliveries by this process. */
  attempt: number;
  readonly signal: AbortSignal;
}

export interface DeliverDeps<Name extends ChannelName, Message extends PendingMessage> {
  readonly place: BusPlace & { readonly channel: Name };
  readonly options: Pick<SubscribeOptions<Name>, "handle" | "onDeadLetter">;
  readonly observer: Partial<BusObserver>;
  readonly redelivery: Redelivery;
  /** Resolves when the dead letter is stored. */
  readonly bury: (message: Message, reason: string) => Promise<void>;
}

/**
 * Delivers a message once. Resolves with undefined when this group is done with it: handled, a dead letter, or reassigned. Otherwise
 * resolves with the delay before the next delivery, milliseconds. Never rejects.
 */
export async function deliverMessage<Name extends ChannelName, Message extends PendingMessage>(
  deps: DeliverDeps<Name, Message>,
  message: Message,
): Promise<number | undefined> {
  const { place, observer, redelivery } = deps;
  message.attempt += 1;
  const { attempt, signal } = message;
  try {
    await handleOrBury(deps, message);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const againInMs = redeliveryDelay(redelivery, attempt);
    observer.failed?.({ ...place, attempt, error, againInMs });
    return againInMs;
  }
}

async function handleOrBury<Name extends ChannelName, Message extends PendingMessage>(
  { place, options, observer, redelivery, bury }: DeliverDeps<Name, Message>,
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
    const letter: DeadLetter = { channel: place.channel, bytes, headers, json, reason };
    await options.onDeadLetter?.(letter);
    await bury(message, reason);
    observer.deadLettered?.({ ...place, attempt, reason });
    return;
  }
  if (!signal.aborted) observer.handled?.({ ...place, attempt, durationMs: performance.now() - startedAt });
}
