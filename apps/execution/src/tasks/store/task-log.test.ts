// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newTask } from "../../testing/new-task.ts";
import { TaskTails } from "../task-tails.ts";
import { openTaskStore } from "./task-store.ts";
import type { LoggedEvent } from "./task-log.ts";

const textAt = (seq: number): LoggedEvent => ({ type: "text", task_id: "t", seq, offset: seq, delta: "x" });
const seqs = (events: readonly LoggedEvent[]) => events.map(({ seq }) => seq);

onBothEngines("the log of a task", (newDatabase) => {
  const start = async (retentionMs = 60_000) => {
    const url = await newDatabase();
    const { store } = await openTaskStore({ url, retentionMs });
    const { task } = await store.create(newTask());
    return { url, store, log: store.log, id: task.task_id };
  };

  test("only the holder of the lease appends, and only until the end", async () => {
    const { url, store, log, id } = await start();
    const other = await openTaskStore({ url });
    expect(await other.store.log.append({ id, attempt: 1 }, [textAt(1)])).toBe(false);
    expect(await log.append({ id, attempt: 1 }, [textAt(1), textAt(2)])).toBe(true);
    expect(await log.append({ id, attempt: 2 }, [textAt(3)])).toBe(false);
    await store.cancel(id, { error: { kind: "canceled", data: {} } });
    expect(await log.append({ id, attempt: 1 }, [textAt(4)])).toBe(false);
    expect(seqs(await log.read(id, 0))).toEqual([1, 2]);
    expect(seqs(await log.read(id, 1))).toEqual([2]);
  });

  test("old events are purged", async () => {
    const { log, id } = await start(0);
    await log.append({ id, attempt: 1 }, [textAt(1), textAt(2)]);
    // Both are old a moment later, one perhaps a moment before the other.
    let purged = 0;
    await expect.poll(async () => (purged += await log.purge.purge(10))).toBe(2);
    expect(await log.read(id, 0)).toEqual([]);
  });

  test("readers of a tail get every event once, whether it comes while they wait, before, or far behind", async () => {
    const { log, id } = await start();
    const tails = new TaskTails({ log, onFailure: (cause) => expect.fail(String(cause)) });
    const read = async (from: number, to: number): Promise<number[]> => {
      const tail = tails.open(id, from);
      const found: number[] = [];
      while ((found.at(-1) ?? from) < to)
        found.push(...seqs(await tail.after(found.at(-1) ?? from, new AbortController().signal)));
      tail.close();
      return found;
    };
    const all = Array.from({ length: 700 }, (_, index) => index + 1);
    const waiting = [read(0, 700), read(0, 700), read(350, 700)];
    for (let at = 0; at < all.length; at += 100) {
      await log.append({ id, attempt: 1 }, all.slice(at, at + 100).map(textAt));
      if (at % 200 === 0) tails.stored(id);
    }
    expect(await Promise.all(waiting)).toEqual([all, all, all.slice(350)]);
    expect(await read(10, 700)).toEqual(all.slice(10));
    const tail = tails.open(id, 700);
    expect(await tail.after(700, AbortSignal.timeout(50))).toEqual([]);
    tail.close();
  });
});

test("a reader that comes during a read for others misses no event", async () => {
  const all = [26, 33, 40].map(textAt);
  const reads: PromiseWithResolvers<void>[] = [];
  const after = (seq: number) => all.filter((event) => event.seq > seq);
  const readAll = async (lasts: readonly (readonly [string, number])[]) => {
    const found = new Map(lasts.map(([id, seq]) => [id, after(seq)]));
    const read = Promise.withResolvers<void>();
    reads.push(read);
    await read.promise;
    return found;
  };
  const tails = new TaskTails({ log: { readAll, read: async (_id, seq) => after(seq) }, onFailure: () => undefined });
  const gone = tails.open("t", 33);
  tails.stored("t");
  gone.close();
  const tail = tails.open("t", 26);
  reads[0]?.resolve();
  const got = tail.after(26, new AbortController().signal);
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.resolve();
  expect(seqs(await got)).toEqual([33, 40]);
  tail.close();
});
