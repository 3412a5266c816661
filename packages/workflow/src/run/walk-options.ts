/** How a part of a run is walked through. */
export interface WalkOptions {
  /** False where steps only end: past a deadline, and where enough lanes are under way. */
  readonly mayStart: boolean;
  /** The earliest deadline of what is around, Unix milliseconds. */
  readonly capAt: number;
  /** How many steps are around. */
  readonly depth: number;
}
