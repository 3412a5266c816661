import type { StepLine } from "./step-line.ts";

/** Shows the progress of a run. */
export interface Display {
  /** The steps have changed. */
  readonly update: () => void;
  /** Prints a permanent line. */
  readonly say: (sentence: string) => void;
  /** The run has ended, or is no longer watched. */
  readonly end: () => void;
}

export interface DisplayOptions {
  /** Returns the current steps; called for each update. */
  readonly lines: () => readonly StepLine[];
}
