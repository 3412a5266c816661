/** How long the difference to this process's clock is trusted, milliseconds. */
const trustMs = 600_000;

/** A jump of this process's clock, by a correction or because the machine slept, milliseconds. */
const jumpMs = 50;

/** The database's clock, so that a change can be computed without a query. */
export class DatabaseClock {
  #ahead = 0;
  #learnedAt = -Infinity;
  #drift = 0;

  /** Returns the time, Unix milliseconds; undefined when it is not known well enough. */
  now(): number | undefined {
    const isTrusted = performance.now() - this.#learnedAt < trustMs && Math.abs(driftNow() - this.#drift) < jumpMs;
    return isTrusted ? Math.round(Date.now() + this.#ahead) : undefined;
  }

  /** `at`: the time in the latest response of the database. */
  learn(at: number): void {
    if (at === 0) return;
    this.#ahead = at - Date.now();
    this.#learnedAt = performance.now();
    this.#drift = driftNow();
  }
}

const driftNow = (): number => Date.now() - performance.now();
