import { retry, TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import type { LaneLease, TakenRecord } from "./records.ts";

/** Thrown when another process has the record. The worker must stop, and post nothing. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Thrown by a worker that must leave its record to the next process, for example during shutdown. The attempt does not count. */
export class ReleasedError extends Error {
  override readonly name = "HandBackError";
  /** The wait before the next attempt, for a record that waits for something; undefined for one that its process leaves, milliseconds. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** Thrown when a record can never be answered, for example in an archived channel; `cause` has the reason. */
export class UnanswerableError extends Error {
  override readonly name = "UnanswerableError";
}

/** Thrown when the question's author deleted it: its messages are deleted, and no answer is posted. */
export class WithdrawnError extends Error {
  override readonly name = "WithdrawnError";
}

/** In place of a stored record that cannot be read, for example because its key is missing; `lease` is its lease. */
export class UnreadableRecordError extends Error {
  override readonly name = "UnreadableRecordError";
  readonly lease: LaneLease & Pick<TakenRecord, "triesLeft">;

  constructor(lease: UnreadableRecordError["lease"], cause: unknown) {
    super("the stored record cannot be read", { cause });
    this.lease = lease;
  }
}

/** Thrown by `accept` when the inbox is full; Slack then sends the event again. */
export class InboxFullError extends Error {
  override readonly name = "InboxFullError";
}

/** Retries a call of the zone's database within the time that remains. */
export type StoreRetry = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that retries a database call while it fails, for example after a lost connection, within `budgetMs` milliseconds from
 * now in total. The call must be safe to repeat. A full inbox and a timeout are not retried.
 */
export function createStoreRetry(budgetMs: number): StoreRetry {
  const until = performance.now() + budgetMs;
  const left = (): number => Math.max(0, until - performance.now());
  const isLast = (error: unknown): boolean => error instanceof InboxFullError || error instanceof TimeLimitError;
  return (call) =>
    retry(() => withTimeout(left(), call), {
      firstMs: 100,
      longestMs: 150,
      budgetMs: left(),
      retryAfter: (error) => (isLast(error) ? undefined : 0),
    });
}
