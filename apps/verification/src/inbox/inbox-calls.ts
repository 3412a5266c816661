import { within } from "@crosszone/service-kit";
import { LeaseLostError } from "./endings.ts";

/** Receives the outages of the inbox, as this process sees them. */
export interface OutageObserver {
  /** Called once when the inbox becomes unavailable. */
  readonly unavailable: (error: unknown) => void;
  /** Called once when it is available again, after `outageMs` milliseconds. */
  readonly available: (outageMs: number) => void;
}

/** Makes an inbox call; rejects with the inbox's own error. */
export type CallInbox = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** Wraps all inbox calls of a worker: each has a timeout, and an outage is reported once, not for each call. */
export function createInboxCalls(
  timeoutMs: number,
  { unavailable, available }: OutageObserver,
): { readonly callInbox: CallInbox; readonly failed: (error: unknown) => void } {
  let unavailableSince: number | undefined;

  function answered(): void {
    if (unavailableSince !== undefined) available(Math.round(performance.now() - unavailableSince));
    unavailableSince = undefined;
  }

  function failed(error: unknown): void {
    if (unavailableSince !== undefined) return;
    unavailableSince = performance.now();
    unavailable(error);
  }

  return {
    failed,
    callInbox: async (call) => {
      try {
        const result = await within(timeoutMs, call);
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
