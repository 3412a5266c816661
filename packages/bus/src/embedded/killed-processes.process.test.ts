import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { taskMessage } from "../testing/bus-under-test.ts";
import { soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

const program = fileURLToPath(new URL("../testing/embedded-worker-program.ts", import.meta.url));
const [keys, each, kills] = [15, 30, 4];

onBothEngines("processes that are killed", (newDatabase) => {
  test("B5, B6, N5: lose no message, and keep the order of each key", async () => {
    const url = await newDatabase();
    const folder = await mkdtemp(join(tmpdir(), "crosszone-bus-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "done");
    await writeFile(file, "");
    const lines = async (): Promise<string[]> => (await readFile(file, "utf8")).split("\n").slice(0, -1);
    const { bus } = await openEmbedded(url);
    for (let input = 0; input < each; input += 1)
      await bus.publish(Array.from({ length: keys }, (_, key) => taskMessage(`${key}`, input)));

    const processes: ChildProcess[] = [];
    const start = async (): Promise<void> => {
      const startedOnes = async () => (await lines()).filter((line) => line === "started").length;
      const before = await startedOnes();
      const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, file], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      processes.push(child);
      await expect.poll(startedOnes, soon).toBeGreaterThan(before);
    };
    await start();
    await start();
    for (let kill = 0; kill < kills; kill += 1) {
      // At any point of its work.
      await delay(Math.random() * 200);
      processes.shift()?.kill("SIGKILL");
      await start();
    }
    await expect
      .poll(async () => (await bus.readQueues()).reduce((sum, { waiting }) => sum + waiting, 0), soon)
      .toBe(0);

    const done = (await lines()).filter((line) => line !== "started");
    const once = [...new Set(done)];
    expect(once).toHaveLength(keys * each);
    // Only messages that were being handled when their process was killed may be handled twice.
    expect(done.length - once.length).toBeLessThanOrEqual(kills * 5);
    for (let key = 0; key < keys; key += 1) {
      const inputs = once.filter((line) => line.startsWith(`${key} `)).map((line) => Number(line.split(" ")[1]));
      expect(inputs).toEqual(Array.from({ length: each }, (_, input) => input));
    }
  }, 120_000);
});
