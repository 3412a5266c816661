// suite: rest
// @module-tag judge
import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines, startPostgres } from "@crosszone/testkit/postgres";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { newJob, openJobs } from "../testing/open-jobs.ts";
import { createJobWorker } from "./job-worker.ts";
import { createTestKind } from "../testing/test-kind.ts";

const program = fileURLToPath(new URL("../testing/worker-program.ts", import.meta.url));
const soon = { timeout: 60_000, interval: 20 };
const [jobs, kills] = [450, 4];

/** Processes that work on jobs, and the jobs that they ran. */
async function startProcesses(url: string) {
  const file = tempFile("done", "");
  const lines = async (): Promise<string[]> => (await readFile(file, "utf8")).split("\n").slice(0, -1);
  const started = async (): Promise<number> => (await lines()).filter((line) => line === "started").length;
  const start = async (): Promise<ChildProcess> => {
    const before = await started();
    const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, file], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect.poll(started, soon).toBeGreaterThan(before);
    return child;
  };
  return { start, done: async () => (await lines()).filter((line) => line !== "started") };
}

onBothEngines("killed processes", (newDatabase) => {
  test("B5, B6: lose no job; only jobs that were running are repeated", async () => {
    const url = await newDatabase();
    const { store } = await openJobs(url, { leaseMs: 1_500 });
    const { start, done } = await startProcesses(url);
    await Promise.all(Array.from({ length: jobs }, (_, n) => store.add(newJob(`${n}`, { share: `test ${n % 15}` }))));
    const processes = [await start(), await start()];
    for (let kill = 0; kill < kills; kill += 1) {
      // At any point of its work.
      await delay(Math.random() * 200);
      processes.shift()?.kill("SIGKILL");
      processes.push(await start());
    }
    await expect.poll(async () => (await store.readings("test")).open, soon).toBe(0);
    const all = await done();
    expect(new Set(all).size).toBe(jobs);
    expect(all.length - jobs).toBeLessThanOrEqual(kills * 5);
  });
});

test("B5: a database that is killed and restarted loses no job; an insert meanwhile fails in time", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { store, lease } = await openJobs(server.url, { leaseMs: 1_500 });
  const { start, done } = await startProcesses(server.url);
  await start();
  await Promise.all(Array.from({ length: 50 }, (_, n) => store.add(newJob(`${n}`))));
  await server.kill();
  await expect(store.add(newJob("lost"))).rejects.toBeInstanceOf(Error);
  await expect.poll(() => lease.isOver(), soon).toBe(true);
  await server.start();
  await expect.poll(() => store.add(newJob("late")).catch(() => undefined), soon).toBe(true);
  await expect.poll(async () => (await store.readings("test")).open, soon).toBe(0);
  const all = await done();
  // A job whose commit was not confirmed may exist too.
  expect(new Set(all.filter((id) => id !== "lost")).size).toBe(51);
});

onBothEngines("a job that is leased by a process that does not know it", (newDatabase) => {
  test("B6: is taken again after its commit response was lost; running jobs are not touched", async () => {
    const { store, lease } = await openJobs(await newDatabase(), { leaseMs: 3_000 });
    const { kind, runs } = createTestKind(store);
    const worker = createJobWorker({ store, lease, kind, failed: () => undefined });
    onTestFinished(() => worker.stop(0));
    worker.start();
    await store.add(newJob("stored", { as: "leased" }));
    await store.add(newJob("of another kind", { as: "leased", share: "other" }));
    await expect.poll(() => runs.map(({ id, attempt }) => [id, attempt])).toEqual([["stored", 1]]);
    const until = performance.now() + 2_500;
    await expect.poll(() => performance.now() > until).toBe(true);
    expect([runs.length, worker.running()]).toEqual([1, 1]);
  });
});

/** A living process is found dead if it does nothing for a twelfth of its lease after such a pause. */
const leaseMs = 4_000;

onBothEngines("paused processes", (newDatabase) => {
  test("B5: that all pause for longer than a lease, like a suspended machine, keep their jobs", async () => {
    const url = await newDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => openJobs(url, { leaseMs })));
    await Promise.all(all.map(({ store }, id) => store.add(newJob(`${id}`, { as: "leased" }))));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * leaseMs);
    expect(all.map(({ lease }) => lease.isOver())).toEqual(all.map(() => true));
    await expect.poll(() => all.some(({ lease }) => lease.isOver())).toBe(false);
    const end = { outcome: "done", output: null };
    const ended = all.map(({ store }, id) => store.end([{ leaseId: { id: `${id}`, attempt: 1 }, end }]));
    expect((await Promise.all(ended)).flat()).toEqual(all.map(() => true));
  });
});
