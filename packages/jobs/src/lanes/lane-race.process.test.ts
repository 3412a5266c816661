import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openLaneDatabase } from "../testing/open-lanes.ts";

const script = fileURLToPath(new URL("../testing/lane-process.ts", import.meta.url));

contractOnBothEngines("lanes shared by processes", (newDatabase) => {
  test("Z9: always have a head, however inserts and ends race; every job runs once, in order within its lane", async () => {
    const url = await newDatabase();
    const database = await openLaneDatabase(url);
    const folder = await mkdtemp(join(tmpdir(), "crosszone-lanes-"));
    onTestFinished(async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    });
    const file = join(folder, "ends");
    await writeFile(file, "");
    const exits = ["one", "other"].map(async (name) => {
      const child = spawn(process.execPath, ["--conditions=@crosszone/source", script, url, file, name], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return once(child, "exit");
    });
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ]);
    // If one left a lane without a head, the other could take it; both would leave it.
    expect(await database.db.selectFrom("job").select(["id", "state"]).execute()).toEqual([]);
    const ends = (await readFile(file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: string; lane: string });
    expect(new Set(ends.map(({ id }) => id)).size).toBe(2_400);
    expect(ends).toHaveLength(2_400);
    // An adder adds its next job when the one before is stored. `sequence` tells no order of ended jobs: SQLite counts from 1 again whenever
    // the table is empty.
    const added = ends.map(({ id, lane }) => {
      const [process, adder, number] = id.split(" ");
      return { adder: `${process} ${adder}`, lane, number: Number(number) };
    });
    for (const jobs of Map.groupBy(added, ({ lane, adder }) => `${lane}, ${adder}`).values()) {
      const order = jobs.map(({ number }) => number);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  }, 120_000);
});
