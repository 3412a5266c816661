/** The database's clock, so that a change can be computed without a query. */
export interface DatabaseClock {
  /** Returns the time, Unix milliseconds; undefined when it is not known well enough. */
  readonly now: () => number | undefined;
  /** `at`: the time in the latest response of the database. */
  readonly learn: (at: number) => void;
}

/** How long the difference to this process's clock is trusted, milliseconds. */
const trustMs = 600_000;

/** A jump of this process's clock, by a correction or because the machine slept, milliseconds. */
const jumpMs = 50;

export function createDatabaseClock(): DatabaseClock {
  let ahead = 0;
  let learnedAt = -Infinity;
  let drift = 0;
  const driftNow = (): number => Date.now() - performance.now();
  return {
    now: () => {
      const isTrusted = performance.now() - learnedAt < trustMs && Math.abs(driftNow() - drift) < jumpMs;
      return isTrusted ? Math.round(Date.now() + ahead) : undefined;
    },
    learn: (at) => {
      if (at === 0) return;
      ahead = at - Date.now();
      learnedAt = performance.now();
      drift = driftNow();
    },
  };
}
