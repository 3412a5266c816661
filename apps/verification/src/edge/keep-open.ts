import { retryForever, type RetryForeverOptions } from "../time/retry.ts";

export interface KeepOpenOptions extends RetryForeverOptions {
  readonly open: () => Promise<unknown>;
  /** Called with false when opening starts, with true when it is open. */
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * Returns a function that opens something that can be lost, and retries until it is open. Call it at the start and after each loss. It
 * never rejects: when `signal` aborts, it resolves without opening.
 */
export function keepOpen({ open, onChange, ...retrying }: KeepOpenOptions): () => Promise<void> {
  return async () => {
    onChange(false);
    try {
      await retryForever(open, retrying);
    } catch {
      return;
    }
    onChange(true);
  };
}
