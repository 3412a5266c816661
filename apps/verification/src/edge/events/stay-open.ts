import { insist, type InsistOptions } from "../../time/retry-forever.ts";

export interface StayOpenOptions extends InsistOptions {
  readonly open: () => Promise<unknown>;
  /** Called with false when opening starts, with true when it is open. */
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * Returns a function that opens something that can be lost, and retries until it is open. Call it at the start and after each loss. It
 * never rejects: when `signal` aborts, it resolves without opening.
 */
export function stayOpen({ open, onChange, ...insisting }: StayOpenOptions): () => Promise<void> {
  return async () => {
    onChange(false);
    try {
      await insist(open, insisting);
    } catch {
      return;
    }
    onChange(true);
  };
}
