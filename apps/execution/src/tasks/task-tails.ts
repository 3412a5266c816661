import { unlessAborted } from "@crosszone/service-kit/timing";
import type { LoggedEvent, TaskLog } from "./store/task-log.ts";

interface TaskTailsOptions {
  readonly log: Pick<TaskLog, "read" | "readAll">;
  readonly onFailure: (cause: unknown) => void;
}

/** Reads the events of one task as they are stored, by any process. */
export type TaskTail = ReturnType<TaskTails["open"]>;

/** How often the logs of watched tasks are read, milliseconds. This process reads its own writes at once. */
const everyMs = 200;
/** Tasks per query. */
const perQuery = 200;
/** Events that are kept per watched task. A slower reader reads the database. */
const mostKept = 500;

interface Watched {
  /** The latest events, all of those after `from`. */
  events: LoggedEvent[];
  from: number;
  readers: number;
  news: PromiseWithResolvers<void>;
}

/** The ends of the logs of watched tasks. All readers of a task share its reads. */
export class TaskTails {
  readonly #options: TaskTailsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #stored = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  constructor(options: TaskTailsOptions) {
    this.#options = options;
  }

  /** Reads a task's log soon, because this process has stored events. */
  stored(taskId: string): void {
    if (!this.#watched.has(taskId)) return;
    this.#stored.add(taskId);
    if (!this.#isReading) void this.#read([]);
  }

  /** Opens the log of a task at an event. Close it. */
  open(taskId: string, seq: number) {
    const found = this.#watched.get(taskId);
    const watched = found ?? { events: [], from: seq, readers: 0, news: Promise.withResolvers() };
    this.#watched.set(taskId, watched);
    watched.readers += 1;
    this.#plan();
    return {
      /** Resolves with the events after an event; with none when the signal aborts first. */
      after: (last: number, signal: AbortSignal) => this.#after(taskId, watched, { last, signal }),
      close: (): void => {
        watched.readers -= 1;
        if (watched.readers === 0 && this.#watched.get(taskId) === watched) this.#watched.delete(taskId);
      },
    };
  }

  async #after(
    taskId: string,
    watched: Watched,
    { last, signal }: { last: number; readonly signal: AbortSignal },
  ): Promise<readonly LoggedEvent[]> {
    for (;;) {
      const { news, from } = watched;
      // What is not kept is in the database.
      const events = last < from ? await this.#options.log.read(taskId, last) : watched.events.filter(isLater);
      if (events.length > 0 || signal.aborted) return events;
      if (last < from) last = from;
      else await unlessAborted(news.promise, signal).catch(() => undefined);
    }
    function isLater({ seq }: LoggedEvent): boolean {
      return seq > last;
    }
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#watched.size === 0) return;
    const readAll = (): void => {
      this.#timer = undefined;
      if (!this.#isReading) void this.#read([...this.#watched.keys()]);
    };
    this.#timer = setTimeout(readAll, everyMs).unref();
  }

  /** Reads the logs of tasks, and of those in which this process has stored events meanwhile. */
  async #read(tasks: readonly string[]): Promise<void> {
    this.#isReading = true;
    for (let ids = tasks; ids.length > 0 || this.#stored.size > 0; ids = []) {
      const all = [...new Set([...ids, ...this.#stored])];
      this.#stored.clear();
      for (let at = 0; at < all.length; at += perQuery)
        await this.#readSome(all.slice(at, at + perQuery)).catch(this.#options.onFailure);
    }
    this.#isReading = false;
    this.#plan();
  }

  async #readSome(ids: readonly string[]): Promise<void> {
    const read = new Map<string, Watched>();
    for (const id of ids) {
      const watched = this.#watched.get(id);
      if (watched !== undefined) read.set(id, watched);
    }
    const lasts = [...read].map(([id, { events, from }]) => [id, events.at(-1)?.seq ?? from] as const);
    for (const [id, events] of await this.#options.log.readAll(lasts)) {
      const watched = read.get(id);
      // Readers that came meanwhile may have begun earlier.
      if (watched === undefined || this.#watched.get(id) !== watched) continue;
      watched.events.push(...events);
      const dropped = watched.events.splice(0, Math.max(0, watched.events.length - mostKept));
      watched.from = dropped.at(-1)?.seq ?? watched.from;
      watched.news.resolve();
      watched.news = Promise.withResolvers();
    }
  }
}
