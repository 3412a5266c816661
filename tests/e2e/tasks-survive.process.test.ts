import { randomUUID } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { startTaskProcess, type TaskProcess } from "../harness/start-task-process.ts";
import { tune } from "@crosszone/testkit/tune";

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 });

async function kill(zone: TaskProcess): Promise<void> {
  zone.signal("SIGKILL");
  await zone.ended;
}

onBothEngines("tasks of real processes", (newDatabase) => {
  test(
    "B6, Z9: whichever process is killed, each accepted task ends with its answer, once for each id",
    { timeout: 120_000 },
    async () => {
      const url = await newDatabase();
      const accepted = new Map<string, string>();
      for (let cycle = 0; cycle < 6; cycle += 1) {
        const zone = await startTaskProcess(url, tune({ TASK_ATTEMPTS: 100 }));
        const ids = Array.from({ length: 8 }, () => randomUUID());
        // The kill comes after some answers and before others.
        const asked = ids.map((id) =>
          zone.accept(`slow 0.${cycle} and say ${id}`, id).then((task) => accepted.set(id, task)),
        );
        await Promise.race(asked);
        await kill(zone);
        await Promise.allSettled(asked);
      }
      expect(accepted.size).toBeGreaterThanOrEqual(6);
      const zone = await startTaskProcess(url, tune({ TASK_ATTEMPTS: 100 }));
      for (const [id, task] of accepted) {
        expect(await zone.result(task)).toMatchObject({
          status: "success",
          response_text: expect.stringContaining(id),
        });
        expect(await zone.accept("another question", id).catch((error: unknown) => error)).toMatchObject({
          data: { kind: "invalid_params" },
        });
      }
    },
  );

  test("B6: a task that crashes its process in every attempt is an error, and does not stay working", async () => {
    const url = await newDatabase();
    const first = await startTaskProcess(url);
    const tasks = await Promise.all([1, 2, 3].map((n) => first.accept(`slow 60 and say ${n}`)));
    await kill(first);
    const second = await startTaskProcess(url);
    await vi.waitFor(
      () =>
        expect(second.log.filter(({ event, attempt }) => event === "task_started" && attempt === 2)).toHaveLength(3),
      20_000,
    );
    await kill(second);
    const third = await startTaskProcess(url);
    for (const task of tasks)
      await expect(third.result(task)).rejects.toMatchObject({
        data: { kind: "agent_unavailable", task_id: task },
      });
  });

  test("Z8: two processes behind one address serve each other's tasks: poll, repeated id, cancel and stop", async () => {
    const url = await newDatabase();
    const [one, other] = await Promise.all([startTaskProcess(url), startTaskProcess(url)]);
    const id = randomUUID();
    const task = await one.accept("slow 1", id);
    expect(await other.accept("slow 1", id)).toBe(task);
    expect(await other.result(task)).toMatchObject({ status: "success", task_id: task });

    const long = await one.accept("slow 60");
    expect(await other.call("cancel_task", { task_id: long })).toMatchObject({ status: "canceled" });
    await expect(one.result(long)).rejects.toMatchObject({ data: { kind: "canceled" } });
    await vi.waitFor(() => expect(one.log.some(({ event }) => event === "task_lease_lost")).toBe(true), 20_000);

    // This one is running when the process is stopped.
    const moved = await one.accept("slow 10 and say moved");
    expect(await one.stop()).toBe(0);
    expect(one.log.some(({ event }) => event === "task_released")).toBe(true);
    expect(await other.result(moved)).toMatchObject({ response_text: expect.stringContaining("moved") });
  });
});
