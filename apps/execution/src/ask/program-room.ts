/** How long a count is used, milliseconds. */
const countedForMs = 1_000;
/** Smaller limits are counted for every task. */
const leastLimit = 100;
/** More programs than this are counted anew. */
const mostPrograms = 10_000;

export interface RoomOptions {
  /** Counts what a program has. */
  readonly count: (actor: string) => Promise<number>;
  /** Whether what is near its limit, or has a small one, is counted for every task. */
  readonly isExact: boolean;
}

/**
 * Limits what programs have: open tasks, stored bytes. A count holds for a second, with what was added here since, so most tasks need no query.
 * Several processes can exceed a limit together within that second.
 */
export class ProgramRoom {
  readonly #options: RoomOptions;
  readonly #counted = new Map<string, { count: number; readonly until: number }>();

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** Returns whether a program's limit has room for this much more, and counts it. */
  async hasRoom(actor: string, most: number, more = 1): Promise<boolean> {
    const { count, isExact } = this.#options;
    let known = this.#counted.get(actor);
    const isRecent = known !== undefined && performance.now() < known.until;
    if (known === undefined || !isRecent || (isExact && (most < leastLimit || known.count >= most / 2))) {
      known = { count: await count(actor), until: performance.now() + countedForMs };
      if (this.#counted.size >= mostPrograms) this.#counted.clear();
      this.#counted.set(actor, known);
    }
    const hasRoom = known.count + more <= most;
    known.count += more;
    return hasRoom;
  }
}
