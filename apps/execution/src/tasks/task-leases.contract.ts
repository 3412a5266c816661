import { describe, expect, test } from "vitest";
import { canceled, leasedTask, releaseTask, succeeded, takeTasks } from "../testing/new-task.ts";
import type { OpenedTaskStore } from "./sql/open-task-store.ts";
import type { MakeTaskStores } from "./task-store.contract.ts";
import { LeaseLostError } from "./task-store.ts";
import type { RecoveredTask } from "./task.ts";

/** Tests for every task store: one process runs a task at a time, and another takes over when it crashes. */
export function taskLeasesContract(make: MakeTaskStores): void {
  describe("leases", () => {
    test("B6: a task of an unresponsive process is leased once, as the next attempt, with its remaining time", async () => {
      const [dead, alive] = await make({ leaseMs: 100 });
      const leased = await leasedTask(dead.store);
      await dead.jobs.lease.stop();
      const taken = await untilTaken(alive);
      expect(taken).toMatchObject({ attempt: 2, task: leased.task });
      expect(taken.remainingMs).toBeLessThanOrEqual(60_000);
      expect(taken.remainingMs).toBeGreaterThan(30_000);
      await expect(dead.store.end(leased, "success", succeeded())).rejects.toThrow(LeaseLostError);
      expect(await alive.store.end(taken, "success", succeeded("mine"))).toMatchObject({ state: "success" });
    });

    test("B6: a run that lost its task can't end it, even if the same process leased it again", async () => {
      const [one, other] = await make();
      const leased = await leasedTask(one.store);
      await releaseTask(one, leased, { counted: true });
      const [taken] = await takeTasks(other);
      await releaseTask(other, taken as RecoveredTask, { counted: true });
      const [again] = await takeTasks(one);
      expect(again?.attempt).toBe(3);
      await expect(one.store.end(leased, "success", succeeded("of the first run"))).rejects.toThrow(LeaseLostError);
      await releaseTask(one, leased);
      expect(await one.store.end(again as RecoveredTask, "success", succeeded())).toMatchObject({
        outcome: succeeded(),
      });
    });

    test("concurrent processes lease each task once, and no more than they requested", async () => {
      const [one, other] = await make();
      for (const leased of await Promise.all(Array.from({ length: 20 }, () => leasedTask(one.store))))
        await releaseTask(one, leased);
      const taken = await Promise.all([takeTasks(one, 7), takeTasks(other, 7)]);
      expect(taken.map(({ length }) => length)).toEqual([7, 7]);
      expect(new Set(taken.flat().map(({ task }) => task.task_id)).size).toBe(14);
    });

    test("a released task is available to others at once, as the same attempt; the releasing process can't end it", async () => {
      const [one, other] = await make();
      const leased = await leasedTask(one.store);
      expect(await takeTasks(other)).toEqual([]);
      await releaseTask(one, leased);
      await releaseTask(one, leased);
      await expect(one.store.end(leased, "success", succeeded())).rejects.toMatchObject({ task: { state: "working" } });
      expect(await takeTasks(other)).toMatchObject([{ attempt: 1, task: leased.task }]);
      expect(await takeTasks(other)).toEqual([]);
    });

    test("the lease of a task ends when another process cancels the task, or when the task ends", async () => {
      const [one, other] = await make();
      const [mine, stopped, ended] = await Promise.all([
        leasedTask(one.store),
        leasedTask(one.store),
        leasedTask(one.store),
      ]);
      await other.store.cancel(stopped.task.task_id, canceled);
      await one.store.end(ended, "success", succeeded());
      const leases = [mine, stopped, ended].map(({ task, attempt }) => ({ id: task.task_id, attempt }));
      expect(await one.jobs.store.lost(leases)).toMatchObject([{ outcome: "canceled" }, { outcome: "success" }]);
    });
  });
}

async function untilTaken(opened: OpenedTaskStore): Promise<RecoveredTask> {
  for (;;) {
    const [taken] = await takeTasks(opened);
    if (taken) return taken;
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}
