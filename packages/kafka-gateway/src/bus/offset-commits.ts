import { setTimeout as delay } from "node:timers/promises";
import type { GroupMember } from "./group-member.ts";
import type { OutageReport } from "./kafka-errors.ts";

/**
 * Progress of a group in one partition of this process. Messages end in any order; the offset to commit is that of the first unfinished
 * one.
 */
export function createPartitionProgress(partition: number) {
  const controller = new AbortController();
  /** In the order of offsets. */
  const open = new Map<bigint, number>();
  let next: bigint | undefined;
  let done: bigint | undefined;
  const first = (): bigint | undefined => open.keys().next().value ?? next;
  return {
    partition,
    /** Aborts when the partition is reassigned. */
    get signal(): AbortSignal {
      return controller.signal;
    },
    abort: (): void => controller.abort(),
    /** Returns false for a message that was accepted before: after a rebalance, fetching restarts at the committed offset. */
    accept: (offset: bigint, timestamp: number): boolean => {
      if (next !== undefined && offset < next) return false;
      done ??= offset;
      open.set(offset, timestamp);
      next = offset + 1n;
      return true;
    },
    end: (offset: bigint): void => void open.delete(offset),
    /** Returns the offset to commit, that of the next message; undefined when it is committed already. */
    toCommit: (): bigint | undefined => {
      const offset = first();
      return offset === undefined || done === undefined || offset <= done ? undefined : offset;
    },
    committed: (offset: bigint): void => {
      if (done === undefined || offset > done) done = offset;
    },
    /** Returns when the oldest unfinished message was published, Unix milliseconds. */
    oldest: (): number | undefined => open.values().next().value,
  };
}

export type PartitionProgress = ReturnType<typeof createPartitionProgress>;

const againMs = 200;

/** Between two commits, milliseconds: what was handled meanwhile is delivered again after a crash. */
const pauseMs = 100;

/** Commits one at a time, with pauses; changes in the meantime are part of the next commit. */
export function createOffsetCommits({
  progress,
  member,
  outage,
}: {
  /** Returns the current partitions of this process. */
  readonly progress: () => Iterable<PartitionProgress>;
  /** Returns the membership for commits; undefined without one. */
  readonly member: () => GroupMember | undefined;
  readonly outage: OutageReport;
}) {
  const hurried = new AbortController();
  let requested = false;
  let working: Promise<void> | undefined;

  async function commitOnce(by: GroupMember): Promise<void> {
    const done = [...progress()].flatMap((of) => {
      const offset = of.toCommit();
      return offset === undefined ? [] : [{ of, offset }];
    });
    if (done.length === 0) return;
    await by.commit(new Map(done.map(({ of, offset }) => [of.partition, offset])));
    for (const { of, offset } of done) of.committed(offset);
  }

  async function work(): Promise<void> {
    while (requested) {
      requested = false;
      const by = member();
      // A later membership starts at the group's offset.
      if (by === undefined) break;
      try {
        await commitOnce(by);
        outage.worked();
        await delay(pauseMs, undefined, { signal: hurried.signal }).catch(() => undefined);
      } catch (error) {
        outage.failed(error);
        await delay(againMs);
        requested = by === member();
      }
    }
    working = undefined;
  }

  return {
    /** Call it when there may be something to commit. */
    request: (): void => {
      requested = true;
      working ??= Promise.resolve().then(work);
    },
    /** Resolves when the requested commits are done or have failed; there are no more pauses. */
    finished: async (): Promise<void> => {
      hurried.abort();
      await working;
    },
  };
}
