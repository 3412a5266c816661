import type { Deviation } from "./good-agent.ts";

/** An agent with one bug of the field, and the checks that find it: nothing else fails. */
export interface KnownBad {
  readonly name: string;
  readonly fails: readonly string[];
  readonly deviation: Deviation;
  /** The check waits until its timeout, or needs the slow question. */
  readonly slow?: true;
}
