import { patiently } from "@crosszone/sql";
import type { BusObserver, BusPlace } from "../bus-observer.ts";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import { checkMessage } from "../codec/message-codec.ts";
import { deadLetterReason, isOutage } from "../dead-letter-reason.ts";
import { DeadLetterError } from "../dead-letter-error.ts";
import type { ChannelName, MessageHeaders } from "../bus-message.ts";
import type { DeadLetter, SubscribeOptions } from "../message-bus.ts";
import { redeliveryDelay, type Redelivery } from "../redelivery.ts";
import type { MessageStore } from "./message-store.ts";
import type { TakenRow } from "./take-messages.ts";

export interface HandleDeps<Name extends ChannelName> {
  readonly place: BusPlace & { readonly channel: Name };
  readonly options: Pick<SubscribeOptions<Name>, "handle" | "onDeadLetter">;
  readonly store: Pick<MessageStore, "done" | "release" | "bury">;
  readonly codec: ColumnCodec;
  readonly observer: Partial<BusObserver>;
  readonly redelivery: Redelivery;
}

/**
 * Completes one delivery: the message is committed, delivered again after a backoff, or becomes a dead letter. Never throws; if the
 * database fails, the message is delivered again when its lease expires.
 */
export async function handleMessage<Name extends ChannelName>(
  deps: HandleDeps<Name>,
  row: TakenRow,
  signal: AbortSignal,
): Promise<void> {
  const { place, observer, redelivery, store } = deps;
  try {
    await deliver(deps, row, signal);
  } catch (error) {
    // Its current lease holder decides about it.
    if (signal.aborted) return;
    const againInMs = redeliveryDelay(redelivery, row.attempt);
    observer.failed?.({ ...place, attempt: row.attempt, error, againInMs });
    // An outage never counts as the last attempt.
    const attempt = isOutage(error) ? Math.min(row.attempt, redelivery.mostAttempts - 1) : row.attempt;
    const released = store.release([{ row, afterMs: againInMs, attempt }]);
    // It is delivered again when its lease expires. The consumer reports the outage.
    await released.catch(() => undefined);
  }
}

async function deliver<Name extends ChannelName>(
  deps: HandleDeps<Name>,
  row: TakenRow,
  signal: AbortSignal,
): Promise<void> {
  const { place, options, store, observer, redelivery } = deps;
  const { mostAttempts } = redelivery;
  const { attempt } = row;
  const startedAt = performance.now();
  const { json, problem } = open(row, deps.codec);
  const headers = JSON.parse(row.headers) as MessageHeaders;
  try {
    // It repeatedly crashed the process that handled it.
    if (attempt > mostAttempts) throw new DeadLetterError(`it was delivered ${mostAttempts} times and never handled`);
    if (problem !== undefined) throw new DeadLetterError(problem);
    await options.handle({ value: checkMessage(place.channel, json), headers, attempt, signal });
  } catch (error) {
    const reason = deadLetterReason(error, attempt >= mostAttempts);
    if (reason === undefined || signal.aborted) throw error;
    const letter: DeadLetter = { channel: place.channel, bytes: bytesOf(row, json), headers, json, reason };
    await options.onDeadLetter?.(letter);
    await patiently(() => store.bury(row, reason));
    observer.deadLettered?.({ ...place, attempt, reason });
    return;
  }
  if (await patiently(() => store.done(row)))
    observer.handled?.({ ...place, attempt, durationMs: performance.now() - startedAt });
}

function open(row: TakenRow, codec: ColumnCodec): { readonly json: unknown; readonly problem?: string } {
  try {
    return { json: codec.fromColumn(row.value, messageContext(row)) };
  } catch (error) {
    const isJson = !(error instanceof SyntaxError);
    return { json: undefined, problem: isJson ? "the message cannot be unsealed" : "the message is not JSON" };
  }
}

const bytesOf = (row: Pick<TakenRow, "value">, json: unknown): Uint8Array =>
  new TextEncoder().encode(json === undefined ? row.value : JSON.stringify(json));
