/** How a message is delivered again after its handler failed. */
export interface Redelivery {
  /** The first backoff, milliseconds; each further one is twice as long. */
  readonly firstMs: number;
  /** The longest backoff, milliseconds. */
  readonly longestMs: number;
  /** A message becomes a dead letter after this many deliveries. Deliveries during an outage of the database or the bus do not count. */
  readonly mostAttempts: number;
}

/** About six minutes, in twenty deliveries. */
export const defaultRedelivery: Redelivery = { firstMs: 100, longestMs: 30_000, mostAttempts: 20 };

/**
 * Returns the backoff after an attempt (from 1), milliseconds, with jitter, so that messages which failed together are not retried
 * together.
 */
export function redeliveryDelay({ firstMs, longestMs }: Redelivery, attempt: number): number {
  return Math.round(Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
}
