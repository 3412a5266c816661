import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";

const script = fileURLToPath(new URL("../testing/inbox-process.ts", import.meta.url));
const [threads, records, kills] = [15, 150, 6];

onBothEngines("processes that are killed", (newDatabase) => {
  test("S5, Z9: leave no record that others do not complete, in order within its thread", async () => {
    const url = await newDatabase();
    const folder = await mkdtemp(join(tmpdir(), "crosszone-inbox-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "done");
    await writeFile(file, "");
    const lines = async (): Promise<string[]> => (await readFile(file, "utf8")).split("\n").slice(0, -1);
    const database = await openVerificationDatabase({ url });
    onTestFinished(() => database.close());
    const inbox = createTestInbox(database);
    for (let at = 0; at < records; at += 1)
      await inbox.accept(questionRecord({ request_id: `${at}`, thread_ts: `${at % threads}` }));

    const processes: ChildProcess[] = [];
    const start = async (): Promise<void> => {
      const before = (await lines()).filter((line) => line === "started").length;
      const child = spawn(process.execPath, ["--conditions=@crosszone/source", script, url, file], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      processes.push(child);
      await expect
        .poll(async () => (await lines()).filter((line) => line === "started").length, { timeout: 20_000 })
        .toBeGreaterThan(before);
    };
    await Promise.all([start(), start()]);
    for (let kill = 0; kill < kills; kill += 1) {
      // At a random point of its work.
      await delay(Math.random() * 300);
      processes.shift()?.kill("SIGKILL");
      await start();
    }
    await expect.poll(() => inbox.load(), { timeout: 60_000, interval: 100 }).toMatchObject({ waiting: 0, inWork: 0 });

    const done = (await lines()).filter((line) => line !== "started");
    const once = [...new Set(done)];
    expect(once).toHaveLength(records);
    // Only a record that was leased when its process was killed may be handled twice.
    expect(done.length - records).toBeLessThanOrEqual(kills * 5);
    for (let thread = 0; thread < threads; thread += 1) {
      const inOrder = once.map(Number).filter((id) => id % threads === thread);
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    }
  }, 120_000);
});
