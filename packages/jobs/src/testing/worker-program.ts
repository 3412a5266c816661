import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createRoom, openProcessJobs } from "../index.ts";
import { openJobDatabase, testJobs } from "./open-jobs.ts";

/** `node worker-program.ts <url> <file>`: works on jobs, one line in the file each, until it is killed. */
const [url = "", file = ""] = process.argv.slice(2);
const database = await openJobDatabase(url);
const jobs = openProcessJobs({ database, schema: testJobs, leaseMs: 6_000 });
const worker = jobs.workOn({
  kind: "test",
  ...createRoom(5),
  read: (row) => row,
  run: async ({ id }) => {
    await delay(Math.random() * 10);
    appendFileSync(file, `${id}\n`);
    return { end: { outcome: "done", output: null } };
  },
});
await jobs.start();
worker.start();
appendFileSync(file, "started\n");
