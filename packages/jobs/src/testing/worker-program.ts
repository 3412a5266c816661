import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createJobLease, JobStore, createJobWorker, createRoom } from "../index.ts";
import { openJobDatabase, testJobs } from "./open-jobs.ts";

/** `node worker-program.ts <url> <file>`: works on jobs, one line in the file each, until it is killed. */
const [url = "", file = ""] = process.argv.slice(2);
const database = await openJobDatabase(url);
const lease = createJobLease({
  database,
  leaseMs: 1_500,
  onLost: () => worker.lose(),
  onReaped: () => worker.wake(),
  failed: () => undefined,
});
const store = new JobStore({ database, lease, schema: testJobs });
const worker = createJobWorker({
  store,
  lease,
  kind: {
    kind: "test",
    ...createRoom(5),
    read: (row) => row,
    run: async ({ id }) => {
      await delay(Math.random() * 10);
      appendFileSync(file, `${id}\n`);
      return { end: { outcome: "done", output: null } };
    },
  },
  failed: () => undefined,
});
await lease.start();
worker.start();
appendFileSync(file, "started\n");
