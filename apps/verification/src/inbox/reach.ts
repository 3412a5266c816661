import { within } from "@crosszone/service-kit";
import { LeaseLostError } from "./endings.ts";
import { UnreadableRecordError } from "./inbox.ts";

/** Told once when the inbox goes away, and once when it is back. */
export interface ReachWatch {
  readonly away: (error: unknown) => void;
  readonly back: (awayMs: number) => void;
}

/** Asks the inbox for something; a rejection is the inbox's own. */
export type Reach = <Result>(ask: () => Promise<Result>) => Promise<Result>;

/** Everything that a worker asks of its inbox goes through here: none of it may hang, and an outage is told once, not at each try. */
export function createReach(timeoutMs: number, { away, back }: ReachWatch): Reach {
  let awaySince: number | undefined;

  function answered(): void {
    if (awaySince !== undefined) back(Math.round(performance.now() - awaySince));
    awaySince = undefined;
  }

  return async (ask) => {
    try {
      const result = await within(timeoutMs, ask);
      answered();
      return result;
    } catch (error) {
      if (error instanceof LeaseLostError || error instanceof UnreadableRecordError) answered();
      else if (awaySince === undefined) {
        awaySince = performance.now();
        away(error);
      }
      throw error;
    }
  };
}
