import type { Deviation } from "./good-agent.ts";

/** An agent with one real-world bug, and the checks that find it: all others pass. */
export interface KnownBad {
  readonly name: string;
  readonly fails: readonly string[];
  readonly deviation: Deviation;
  /** The check waits until its timeout, or needs the slow question. */
  readonly slow?: true;
}
