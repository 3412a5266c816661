import { createJobEvents, createJobLease, createJobWorker, createRoom, plainJobs, JobStore } from "@crosszone/jobs";
import { randomUUID } from "node:crypto";
import { openJobDatabase } from "./job-table.ts";
import { batch, type Leased, type Subject } from "./jobs.ts";

const end = { outcome: "done", output: "{}" };
const endOf = ({ id, attempt }: Leased) => ({ leaseId: { id, attempt }, end });

/** The engine as a zone has it. */
export async function createEngineSubject(url: string): Promise<Subject> {
  const database = await openJobDatabase(url);
  const fail = (cause: unknown): void => {
    throw cause;
  };
  const lease = createJobLease({
    database,
    leaseMs: 30_000,
    onLost: () => fail(new Error("the lease was lost")),
    onReaped: () => undefined,
    failed: (_, cause) => fail(cause),
  });
  const store = new JobStore({ database, lease, schema: plainJobs });
  await lease.start();

  return {
    /** Leases as a worker does: looks for shares with jobs, and takes from those with room. */
    take: async (open) => {
      const asked = (await store.waitingShares("bench")).filter((share) => open.includes(share));
      const most = Math.ceil(batch / asked.length);
      return asked.length === 0 ? [] : store.take(asked.map((share) => ({ share, most })));
    },
    end: async (jobs) => {
      const ended = await store.end(jobs.map(endOf));
      if (!ended.every(Boolean)) throw new Error("the lease of a job was lost");
    },
    add: async (share, record) => {
      await store.add({ id: randomUUID(), kind: "bench", share, record, input: "{}", as: "ready" });
    },
    receive: async (share, onTaken) => {
      const worker = createJobWorker({
        store,
        lease,
        kind: {
          kind: share,
          ...createRoom(1_000),
          read: (row) => row,
          run: async (job) => {
            onTaken(job.record);
            return { end };
          },
        },
        failed: (_, cause) => fail(cause),
      });
      const events = createJobEvents(database);
      events.onReady(worker.wake);
      await events.start();
      worker.start();
    },
  };
}
