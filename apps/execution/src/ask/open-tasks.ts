import type { AskedTasks } from "../tasks/sql/asked-tasks.ts";

/** How long a count is used, milliseconds. */
const countedForMs = 1_000;
/** Smaller limits are counted for every task. */
const leastLimit = 100;
/** More programs than this are counted anew. */
const mostPrograms = 10_000;

/**
 * Limits the open tasks of programs. A count below half of a large limit holds for a second, with the tasks that started here since, so most
 * tasks need no query. Several processes can exceed the limit together within that second.
 */
export class OpenTasks {
  readonly #tasks: Pick<AskedTasks, "openCount">;
  readonly #counted = new Map<string, { count: number; readonly until: number }>();

  constructor(tasks: Pick<AskedTasks, "openCount">) {
    this.#tasks = tasks;
  }

  /** Returns whether a program can start one more task, and counts it. */
  async hasRoom(actor: string, most: number): Promise<boolean> {
    const known = this.#counted.get(actor);
    const isRecent = known !== undefined && performance.now() < known.until;
    if (isRecent && most >= leastLimit && known.count < most / 2) {
      known.count += 1;
      return true;
    }
    const count = await this.#tasks.openCount(actor);
    if (this.#counted.size >= mostPrograms) this.#counted.clear();
    this.#counted.set(actor, { count: count + 1, until: performance.now() + countedForMs });
    return count < most;
  }
}
