/**
 * How far a group has come in one partition while it is this process's: messages end in any order, and what may be committed is
 * the offset of the first that has not ended.
 */
export interface PartitionProgress {
  readonly partition: number;
  /** Aborted when the partition is somebody else's. */
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** False for a message that came before: after a rebalance, fetching begins again at what is committed. */
  readonly accept: (offset: bigint, timestamp: number) => boolean;
  readonly end: (offset: bigint) => void;
  /** What is to be committed, the offset of the next message; undefined when that is committed already. */
  readonly toCommit: () => bigint | undefined;
  readonly committed: (offset: bigint) => void;
  /** When the oldest message that has not ended was published, Unix milliseconds. */
  readonly oldest: () => number | undefined;
}

export function createPartitionProgress(partition: number): PartitionProgress {
  const controller = new AbortController();
  /** In the order of their offsets. */
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
