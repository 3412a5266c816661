import { insist, type InsistOptions } from "./insist.ts";

export interface StayOpenOptions extends InsistOptions {
  readonly open: () => Promise<unknown>;
  /** Told false when opening begins, true when it is open. */
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * Gives the function that opens what may be lost again, as often as it takes; to be called at the start and at each loss. It never
 * rejects: when `signal` aborts, it ends without having opened anything.
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
