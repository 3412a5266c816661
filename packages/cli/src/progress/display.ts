import type { StepLine } from "./step-line.ts";

/** Shows how a run comes along. */
export interface Display {
  /** The steps have changed. */
  readonly update: () => void;
  /** Says something that stays. */
  readonly say: (sentence: string) => void;
  /** The run has ended, or is not watched any more. */
  readonly end: () => void;
}

export interface DisplayOptions {
  /** What is shown; asked for whenever something is. */
  readonly lines: () => readonly StepLine[];
}
