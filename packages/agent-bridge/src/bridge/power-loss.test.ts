import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import {
  enterTasks,
  newTask,
  startBridge,
  storedResults,
  untilIdle,
  openBridgeDatabase,
} from "../testing/open-bridge.ts";
import { createFakeCaller } from "../testing/start-call.ts";

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const [headerBytes, frameBytes] = [32, 24 + 4096];

test("N5: wherever a power loss cuts SQLite's log, a call is absent, open with its task, or ended with its result", async () => {
  const folder = tempFolder();
  const file = join(folder, "zone.sqlite");
  const { caller } = createFakeCaller();
  const opened = await startBridge(`sqlite:${file}`, { caller });
  await untilIdle(opened);
  const log = () => readFile(`${file}-wal`);
  const before = (await log()).length;
  await enterTasks(opened, [newTask("t1")]);
  await storedResults(opened).until([newTask("t1")]);
  const whole = await log();
  const frames = (whole.length - before) / frameBytes;
  expect(before % frameBytes).toBe(headerBytes);
  expect(frames).toBeGreaterThan(3);

  const found: string[] = [];
  for (let frame = 0; frame <= frames; frame += 1) {
    const copy = join(folder, `${String(frame)}.sqlite`);
    await copyFile(file, copy);
    await writeFile(`${copy}-wal`, whole.subarray(0, before + frame * frameBytes));
    const { db, close } = await openBridgeDatabase(`sqlite:${copy}`);
    const row = await db.selectFrom("job").select(["state", "input", "output"]).executeTakeFirst();
    await close();
    const now = row === undefined ? "absent" : [row.state, ...[row.input, row.output].map(isThere)].join(" ");
    if (now !== found.at(-1)) found.push(now);
  }
  expect(found).toEqual(["absent", "1 true false", "4 false true"]);
});

const isThere = (text: string | null): boolean => text !== null;
