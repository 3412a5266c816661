import { withTimeout } from "@crosszone/service-kit";
import { LeaseLostError } from "./endings.ts";

/** Called once when the inbox becomes unavailable, and once when it is available again. */
export interface ReachWatch {
  readonly away: (error: unknown) => void;
  readonly back: (awayMs: number) => void;
}

/** Makes an inbox call; rejects with the inbox's own error. */
export type Reach = <Result>(ask: () => Promise<Result>) => Promise<Result>;

/** Wraps all inbox calls of a worker: each has a timeout, and an outage is reported once, not for each call. */
export function createReach(
  timeoutMs: number,
  { away, back }: ReachWatch,
): { readonly reach: Reach; readonly failed: (error: unknown) => void } {
  let awaySince: number | undefined;

  function answered(): void {
    if (awaySince !== undefined) back(Math.round(performance.now() - awaySince));
    awaySince = undefined;
  }

  function failed(error: unknown): void {
    if (awaySince !== undefined) return;
    awaySince = performance.now();
    away(error);
  }

  return {
    failed,
    reach: async (ask) => {
      try {
        const result = await withTimeout(timeoutMs, ask);
        answered();
        return result;
      } catch (error) {
        if (error instanceof LeaseLostError) answered();
        else failed(error);
        throw error;
      }
    },
  };
}
