/**
 * Progress of a group in one partition of this process. Messages end in any order; the offset to commit is that of the first unfinished
 * one.
 */
export interface PartitionProgress {
  readonly partition: number;
  /** Aborts when the partition is reassigned. */
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Returns false for a message that was accepted before: after a rebalance, fetching restarts at the committed offset. */
  readonly accept: (offset: bigint, timestamp: number) => boolean;
  readonly end: (offset: bigint) => void;
  /** Returns the offset to commit, that of the next message; undefined when it is committed already. */
  readonly toCommit: () => bigint | undefined;
  readonly committed: (offset: bigint) => void;
  /** Returns when the oldest unfinished message was published, Unix milliseconds. */
  readonly oldest: () => number | undefined;
}

export function createPartitionProgress(partition: number): PartitionProgress {
  const controller = new AbortController();
  /** In the order of offsets. */
  const open = new Map<bigint, number>();
  let next: bigint | undefined;
  let done: bigint | undefined;
  const first = (): bigint | undefined => open.keys().next().value ?? next;
  return {
    partition,
    signal: controller.signal,
    abort: () => controller.abort(),
    accept: (offset, timestamp) => {
      if (next !== undefined && offset < next) return false;
      done ??= offset;
      open.set(offset, timestamp);
      next = offset + 1n;
      return true;
    },
    end: (offset) => void open.delete(offset),
    toCommit: () => {
      const offset = first();
      return offset === undefined || done === undefined || offset <= done ? undefined : offset;
    },
    committed: (offset) => {
      if (done === undefined || offset > done) done = offset;
    },
    oldest: () => open.values().next().value,
  };
}
