/** How a message comes again whose handler failed. */
export interface Redelivery {
  /** The wait after the first failure, milliseconds; each further one is twice as long. */
  readonly firstMs: number;
  /** The longest wait, milliseconds. */
  readonly longestMs: number;
  /** After so many deliveries a message is a dead letter; while the database or the bus is away it comes again without an end. */
  readonly mostAttempts: number;
}

/** Six minutes or so, in twenty deliveries. */
export const defaultRedelivery: Redelivery = { firstMs: 100, longestMs: 30_000, mostAttempts: 20 };

/** How long to wait after that attempt (from 1), milliseconds: what failed together does not come back in the same moment. */
export function redeliveryDelay({ firstMs, longestMs }: Redelivery, attempt: number): number {
  return Math.round(Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
}
