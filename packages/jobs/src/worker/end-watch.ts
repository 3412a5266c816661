import { timerMs, unlessAborted, withTimeout } from "@crosszone/service-kit/timing";
import { retryTransient } from "@crosszone/sql";
import type { EndingJob, JobStoreOptions } from "../store/grouped-writes.ts";
import type { JobStore } from "../store/job-store.ts";
import { findOutputs } from "../store/read-jobs.ts";

interface EndWatchOptions<End> {
  /** Reads jobs by their ids: the end of each that has ended, `open` for others. Those that don't exist are absent. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, End | "open">>;
  /** Pause between two reads, milliseconds: the first, and the longest while no job ends. */
  readonly pausesMs: readonly [number, number];
  /** A job that is waited for doesn't exist: it was not stored yet, or it was lost. */
  readonly onMissing?: (id: string) => void;
  /** Called when the store can't be read. The read is retried. */
  readonly onFailure?: (cause: unknown) => void;
}

/** Time in which hints of ends share a read, milliseconds. */
const soonMs = 5;

/**
 * Lets many callers wait for the ends of jobs, in this process and others. Ends that other processes stored are read, all with one query,
 * only while a caller waits, and with growing pauses until a job ends or a new caller comes.
 */
export class EndWatch<End> {
  readonly #options: EndWatchOptions<End>;
  readonly #waiting = new Map<string, Set<(end: End) => void>>();
  #planned: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isReading = false;
  #pauseMs: number;

  constructor(options: EndWatchOptions<End>) {
    this.#options = options;
    this.#pauseMs = options.pausesMs[0];
  }

  /** Wakes the callers in this process that wait for a job's end. Returns whether there are any. */
  deliver(id: string, end: End): boolean {
    const waiting = this.#waiting.get(id);
    for (const wake of waiting ?? []) wake(end);
    return waiting !== undefined;
  }

  /** Soon reads the jobs that callers wait for. */
  readSoon(): void {
    this.#pauseMs = this.#options.pausesMs[0];
    this.#plan(soonMs);
  }

  /** Waits for a job's end; rejects with the signal's reason. `firstMs`: time until the job is read, milliseconds. */
  async waitFor(id: string, signal: AbortSignal, firstMs: number = this.#options.pausesMs[0]): Promise<End> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<End>();
    const ofJob = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, ofJob.add(resolve));
    this.#pauseMs = this.#options.pausesMs[0];
    this.#plan(firstMs);
    try {
      return await unlessAborted(promise, signal);
    } finally {
      ofJob.delete(resolve);
      if (ofJob.size === 0 && this.#waiting.get(id) === ofJob) this.#waiting.delete(id);
      if (this.#waiting.size === 0) {
        clearTimeout(this.#planned?.timer);
        this.#planned = undefined;
      }
    }
  }

  /** Waits as `waitFor` does, for `waitMs` milliseconds at most. Resolves with undefined when the time or the signal ends it. */
  async waitAtMost(
    id: string,
    waitMs: number,
    { signal, firstMs }: { readonly signal?: AbortSignal; readonly firstMs?: number } = {},
  ): Promise<End | undefined> {
    return withTimeout(waitMs, (over) => this.waitFor(id, over, firstMs), signal).catch(() => undefined);
  }

  /** Schedules a read after this time, unless an earlier one is scheduled. */
  #plan(waitMs: number): void {
    const at = performance.now() + waitMs;
    const isPlanned = this.#planned !== undefined && this.#planned.at <= at;
    if (this.#isReading || this.#waiting.size === 0 || isPlanned) return;
    clearTimeout(this.#planned?.timer);
    this.#planned = { at, timer: setTimeout(() => void this.#readAll(), timerMs(waitMs)) };
  }

  async #readAll(): Promise<void> {
    const { read, pausesMs, onMissing, onFailure } = this.#options;
    const [firstMs, longestMs] = pausesMs;
    this.#planned = undefined;
    this.#isReading = true;
    const ids = [...this.#waiting.keys()];
    try {
      const found = await read(ids);
      let ended = 0;
      for (const id of ids) {
        const end = found.get(id);
        if (end === undefined) onMissing?.(id);
        else if (end !== "open" && this.deliver(id, end)) ended += 1;
      }
      this.#pauseMs = ended > 0 ? firstMs : Math.min(longestMs, this.#pauseMs * 1.5);
    } catch (cause) {
      this.#pauseMs = longestMs;
      onFailure?.(cause);
    }
    this.#isReading = false;
    this.#plan(this.#pauseMs);
  }
}

/** Pause between two reads of children's ends, milliseconds: the first, and the longest while none comes. */
const pausesMs = [100, 1_000] as const;

/** A job whose end its parent waits for in this process. */
export interface ChildJob<Result> {
  readonly id: string;
  readonly kind: string;
  /** Stores it. Resolves with false when it existed. A power loss may undo it: it is stored again as long as its parent waits. */
  readonly enter: () => Promise<boolean>;
  /** Reads its result from its output, when it has ended in another process. */
  readonly read: (output: string) => Result;
}

/** Lets jobs wait in this process for the ends of their children, which may run in any. */
export function createChildren<Own extends string>(
  store: JobStore<Own>,
  { db }: JobStoreOptions<Own>["database"],
  failed: (kind: string, operation: "send" | "look", cause: unknown) => void,
) {
  /** The children that this process has stored. */
  const stored = new Map<string, ChildJob<unknown>>();
  const watch = new EndWatch<{ readonly output: string } | { readonly result: unknown }>({
    read: (ids) => findOutputs(db, ids),
    pausesMs,
    onMissing: (id) => {
      const child = stored.get(id);
      child?.enter().catch((cause: unknown) => failed(child.kind, "send", cause));
    },
    onFailure: (cause) => {
      for (const kind of new Set(stored.values().map((child) => child.kind))) failed(kind, "look", cause);
    },
  });
  return {
    /** Stores a child and waits for its result. Rejects with the signal's reason; the child then goes on. */
    child: async <Result>(child: ChildJob<Result>, signal: AbortSignal): Promise<Result> => {
      const { id, kind, enter, read } = child;
      const over = new AbortController();
      // Started before the child is stored, because its end may come at once.
      const waited = watch.waitFor(id, AbortSignal.any([signal, over.signal]));
      waited.catch(() => undefined);
      try {
        const onRetry = (cause: unknown): void => failed(kind, "send", cause);
        const isNew = await retryTransient(enter, { budgetMs: Infinity, signal, onRetry });
        stored.set(id, child);
        // The parent ran before, and the child may have ended.
        if (!isNew) watch.readSoon();
        const end = await waited;
        return "result" in end ? (end.result as Result) : read(end.output);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        over.abort();
        if (stored.get(id) === child) stored.delete(id);
      }
    },
    /** Gives a result to the parent that waits for it in this process. Returns whether one does. */
    deliver: (id: string, result: unknown): boolean => watch.deliver(id, { result }),
    /**
     * Ends a child that this process has leased. Its parent goes on before that is durable: after a power loss, both run again. `parent`: the
     * job whose own end follows.
     */
    endChild: async (ending: EndingJob<Own>, result: unknown, parent?: string): Promise<boolean> => {
      const waitsHere = watch.deliver(ending.leaseId.id, { result });
      if (waitsHere && parent !== undefined) return store.endChild(parent, ending);
      return (await store.end([{ ...ending, notifies: !waitsHere }]))[0] ?? false;
    },
    /** Children may have ended elsewhere. */
    readSoon: (): void => watch.readSoon(),
  };
}
