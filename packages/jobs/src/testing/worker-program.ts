import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  createJobLease,
  createJobStore,
  createJobWorker,
  retryUntilStored,
  type JobRun,
  type LeasedJob,
} from "../index.ts";
import { openJobDatabase, testJobs, type TestColumn } from "./open-jobs.ts";

/** `node worker-program.ts <url> <file>`: works on jobs, one line in the file each, until it is killed. */
const [url = "", file = ""] = process.argv.slice(2);
const database = await openJobDatabase(url);
const lease = createJobLease({
  database,
  leaseMs: 1_500,
  onLost: () => worker.lose(),
  onReaped: () => worker.wake(),
  observer: { storeFailed: () => undefined },
});
const store = createJobStore({ database, lease, schema: testJobs });
let running = 0;

function run({ id, attempt }: LeasedJob<TestColumn>): JobRun {
  const abandoned = new AbortController();
  async function work(): Promise<void> {
    running += 1;
    await delay(Math.random() * 10);
    appendFileSync(file, `${id}\n`);
    const end = [{ leaseId: { id, attempt }, end: { outcome: "done", output: null } }];
    await retryUntilStored({ store: () => store.end(end), onFailure: () => false, signal: abandoned.signal });
    running -= 1;
  }
  return { id, attempt, drop: () => undefined, isEnding: false, abandon: () => abandoned.abort(), ended: work() };
}

const worker = createJobWorker({
  store,
  lease,
  kind: {
    kind: "test",
    room: () => 5 - running,
    free: () => 5 - running,
    reserve: () => () => undefined,
    run,
  },
  observer: { storeFailed: () => undefined },
});
await lease.start();
worker.start();
appendFileSync(file, "started\n");
