/** The tasks that this process runs, and may run. */
export interface TaskRoom {
  /** How many more tasks may start. */
  readonly left: () => number;
  /** Reserves room for a task. Returns a function that frees it; undefined without room. */
  readonly reserve: () => (() => void) | undefined;
  /** Counts a task that runs or is about to. Returns a function to call when it no longer does. */
  readonly enter: () => () => void;
  /** How many tasks run or are about to. */
  readonly running: number;
  /** When `running` last rose above 0 or fell back to 0, Unix milliseconds; initially the start of the process. */
  readonly changedAt: number;
}

export function createTaskRoom(most: number, now: () => Date): TaskRoom {
  let [reserved, running] = [0, 0];
  let changedAt = now().getTime();
  const left = (): number => most - reserved;

  function count(change: 1 | -1): void {
    running += change;
    const isEdge = change === 1 ? running === 1 : running === 0;
    if (isEdge) changedAt = now().getTime();
  }

  return {
    left,
    reserve: () => {
      if (left() <= 0) return undefined;
      reserved += 1;
      return () => void (reserved -= 1);
    },
    enter: () => {
      count(1);
      return () => count(-1);
    },
    get running() {
      return running;
    },
    get changedAt() {
      return changedAt;
    },
  };
}
