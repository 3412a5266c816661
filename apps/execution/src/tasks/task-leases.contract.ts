import { describe, expect, test } from "vitest";
import { canceled, heldTask, succeeded } from "../testing/new-task.ts";
import type { MakeTaskStores } from "./task-store.contract.ts";
import { LeaseLostError, type TaskStore } from "./task-store.ts";
import type { TakenTask } from "./task.ts";

/** Tests for every task store: one process runs a task at a time, and another takes over when it crashes. */
export function taskLeasesContract(make: MakeTaskStores): void {
  describe("leases", () => {
    test("B6: a task whose process is silent is taken, once, as the next attempt, with what is left of its time", async () => {
      const [dead, alive] = await make({ leaseMs: 1 });
      const held = await heldTask(dead);
      const taken = await untilTaken(alive);
      expect(taken).toMatchObject({ attempt: 2, task: held.task });
      expect(taken.remainingMs).toBeLessThanOrEqual(60_000);
      expect(taken.remainingMs).toBeGreaterThan(30_000);
      await expect(dead.end(held, "success", succeeded())).rejects.toThrow(LeaseLostError);
      expect(await alive.end(taken, "success", succeeded("mine"))).toMatchObject({ state: "success" });
    });

    test("B6: a run that lost its task cannot end it, also when the same process has taken it again", async () => {
      const [store, other] = await make({ leaseMs: 1 });
      const held = await heldTask(store);
      await untilTaken(other);
      const again = await untilTaken(store);
      expect(again.attempt).toBe(3);
      await expect(store.end(held, "success", succeeded("of the first run"))).rejects.toThrow(LeaseLostError);
      expect(await store.renew([held])).toEqual([held]);
      await store.handBack([held]);
      expect(await store.end(again, "success", succeeded())).toMatchObject({ outcome: succeeded() });
    });

    test("a lease that holds is not taken, nor is a task that its own process runs", async () => {
      const [store, other] = await make();
      await heldTask(store);
      expect(await other.take(10, [])).toEqual([]);
      const [short] = await make({ leaseMs: 1 });
      const { task } = await heldTask(short);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await short.take(10, [task.task_id])).toEqual([]);
      // The process doesn't run it, because the answer to its creation was lost. The attempt was never used.
      expect(await short.take(10, [])).toMatchObject([{ attempt: 1 }]);
    });

    test("two processes that look at the same time take each task once, and no more than they asked for", async () => {
      const [store, other] = await make();
      await store.handBack(await Promise.all(Array.from({ length: 20 }, () => heldTask(store))));
      const taken = await Promise.all([store.take(7, []), other.take(7, []), other.take(0, [])]);
      expect(taken.map(({ length }) => length)).toEqual([7, 7, 0]);
      expect(new Set(taken.flat().map(({ task }) => task.task_id)).size).toBe(14);
    });

    test("leases that were lost are told, and a lease that was renewed is not taken", async () => {
      const [store, other] = await make({ leaseMs: 500 });
      const [mine, stopped, ended] = await Promise.all([heldTask(store), heldTask(store), heldTask(store)]);
      await other.cancel(stopped.task.task_id, canceled);
      await store.end(ended, "success", succeeded());
      expect(await store.lost([mine, stopped, ended])).toEqual([stopped, ended]);
      expect(await store.renew([mine, stopped, ended])).toEqual([stopped, ended]);
      expect(await other.lost([mine])).toEqual([mine]);
      expect(await other.renew([mine])).toEqual([mine]);
      expect(await store.renew([])).toEqual([]);
    });

    test("what is handed back is there for others at once, as the same attempt; who handed it back cannot end it", async () => {
      const [store, other] = await make();
      const held = await heldTask(store);
      await store.handBack([held]);
      await store.handBack([held]);
      await expect(store.end(held, "success", succeeded())).rejects.toMatchObject({ task: { state: "working" } });
      expect(await other.take(10, [])).toMatchObject([{ attempt: 1, task: held.task }]);
      expect(await other.take(10, [])).toEqual([]);
    });
  });
}

async function untilTaken(store: TaskStore): Promise<TakenTask> {
  for (;;) {
    const [taken] = await store.take(10, []);
    if (taken) return taken;
  }
}
