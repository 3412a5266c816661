/** Options of a walk through a part of a run. */
export interface WalkOptions {
  /** False where steps can only end: after a deadline, or at the limit of concurrent lanes. */
  readonly mayStart: boolean;
  /** The earliest deadline of the enclosing steps, Unix milliseconds. */
  readonly capAt: number;
  /** Nesting depth. */
  readonly depth: number;
}
