import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openTaskStore } from "./sql/open-task-store.ts";
import { canceled, leasedTask, succeeded } from "../testing/new-task.ts";

onBothEngines("cancel against completion", (newDatabase) => {
  test("B12: each of hundreds of races has one winner, and both sides get the same result", async () => {
    const url = await newDatabase();
    const [one, other] = await Promise.all([openTaskStore({ url }), openTaskStore({ url })]);
    onTestFinished(async () => void (await Promise.all([one.database.close(), other.database.close()])));
    const winners = { success: 0, canceled: 0, error: 0, timed_out: 0 };

    async function race(at: number): Promise<void> {
      const leased = await leasedTask(one.store);
      const { task_id } = leased.task;
      // Each side gets a head start at times. On SQLite both sides run in one process, so the order would otherwise never vary.
      const complete = () => turns(at % 3).then(() => one.store.end(leased, "success", succeeded(String(at))));
      const cancel = () => turns(at % 5).then(() => other.store.cancel(task_id, canceled));
      const [completion, cancellation] = await Promise.allSettled([complete(), cancel()]);
      const found = await other.store.get(task_id);
      const truth =
        found?.state === "success"
          ? [
              { value: { outcome: succeeded(String(at)) } },
              { reason: { kind: "invalid_state_transition" } },
              succeeded(String(at)),
            ]
          : [{ reason: { name: "LeaseLostError", task: found } }, { value: { task: { state: "canceled" } } }, canceled];
      expect([completion, cancellation, found?.outcome]).toMatchObject(truth);
      winners[found?.state as keyof typeof winners] += 1;
    }

    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 25 }, (_, at) => race(25 * round + at)));
    expect(winners.success + winners.canceled).toBe(500);
    expect(Math.min(winners.success, winners.canceled)).toBeGreaterThan(0);
  });
});

/** Waits for this number of turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}
