import { setTimeout as delay } from "node:timers/promises";
import type { GroupMember } from "./group-member.ts";
import type { PartitionProgress } from "./partition-progress.ts";
import type { ToldOnce } from "./told-once.ts";

export interface OffsetCommitsDeps {
  /** Returns the current partitions of this process. */
  readonly progress: () => Iterable<PartitionProgress>;
  /** Returns the membership for commits; undefined without one. */
  readonly member: () => GroupMember | undefined;
  readonly outage: ToldOnce;
}

export interface OffsetCommits {
  /** Call it when there may be something to commit. */
  readonly request: () => void;
  /** Resolves when the requested commits are done or have failed; there are no more pauses. */
  readonly settled: () => Promise<void>;
}

const againMs = 200;

/** Between two commits, milliseconds: what was handled meanwhile is delivered again after a crash. */
const pauseMs = 100;

/** Commits one at a time, with pauses; changes in the meantime are part of the next commit. */
export function createOffsetCommits({ progress, member, outage }: OffsetCommitsDeps): OffsetCommits {
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
    request: () => {
      requested = true;
      working ??= Promise.resolve().then(work);
    },
    settled: async () => {
      hurried.abort();
      await working;
    },
  };
}
