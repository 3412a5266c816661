/** Growing pauses, milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the pause after a failed attempt (from 1), milliseconds: twice as long after each, with jitter, so that what
 * failed together is not tried again together.
 */
export const backoffMs = ({ firstMs, longestMs }: Backoff, attempt: number): number =>
  Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
