import { expect, test, vi } from "vitest";
import { createOutageReport } from "./kafka-errors.ts";
import { createOffsetCommits, createPartitionProgress } from "./offset-commits.ts";

/** One partition whose commits are recorded. */
function open() {
  const progress = createPartitionProgress(0);
  const committed: { readonly offset: bigint | undefined; readonly at: number }[] = [];
  const failures: unknown[] = [];
  const member = {
    commit: async (offsets: ReadonlyMap<number, bigint>) =>
      void committed.push({ offset: offsets.get(0), at: performance.now() }),
    ended: new Promise<undefined>(() => undefined),
    stopFetching: () => undefined,
    leave: async () => undefined,
  };
  const outage = createOutageReport((error) => void failures.push(error));
  const commits = createOffsetCommits({ progress: () => [progress], member: () => member, outage });
  const handle = (offset: bigint): void => {
    progress.accept(offset, 0);
    progress.end(offset);
    commits.request();
  };
  const offsets = () => committed.map(({ offset }) => offset);
  return { commits, committed, offsets, failures, handle, member };
}

test("offsets that arrive after a commit are committed together, a tenth of a second later", async () => {
  const { committed, offsets, handle } = open();
  handle(0n);
  await vi.waitFor(() => expect(offsets()).toEqual([1n]), { interval: 1 });
  for (const offset of [1n, 2n, 3n]) handle(offset);
  await vi.waitFor(() => expect(offsets()).toEqual([1n, 4n]));
  const [first, second] = committed.map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(90);
});

test("a consumer that leaves the group commits without a pause", async () => {
  const { commits, offsets, handle } = open();
  handle(0n);
  await vi.waitFor(() => expect(offsets()).toEqual([1n]), { interval: 1 });
  handle(1n);
  await commits.finished();
  expect(offsets()).toEqual([1n, 2n]);
});

test("a failed commit is reported and retried", async () => {
  const { offsets, failures, handle, member } = open();
  const { commit } = member;
  member.commit = () => Promise.reject(new Error("no coordinator"));
  handle(0n);
  await vi.waitFor(() => expect(failures).toEqual([new Error("no coordinator")]));
  member.commit = commit;
  await vi.waitFor(() => expect(offsets()).toEqual([1n]));
});
