import { spawnWorker } from "../process/spawn-worker.ts";
import { runLoad, type Bench, type Subject } from "./measure-peer.ts";
import { peers } from "./peers.ts";

/** How often the disk was flushed for a request, at 100 connections. */
export interface FlushCount extends Subject {
  readonly flushesPerRequest: number;
}

/**
 * Counts in a run of its own. PostgreSQL says how often it flushed its log, after the server and its connections are gone;
 * SQLite flushes at each commit.
 */
export async function countFlushes(subject: Subject, { load, databases }: Bench): Promise<FlushCount> {
  const { peer, mode } = subject;
  const database = await databases.create(peers[peer].engine);
  const worker = spawnWorker("durable/peer-worker.ts", [peer, mode, database.url], { side: "server" });
  try {
    const url = await worker.ask<string>("listen");
    await load.ask("open", { url, connections: 100 });
    const before = await database.flushes();
    await worker.ask("commits");
    const { requests } = await runLoad(load, subject, { size: "300 B", until: { ms: 1_500, requests: 5_000 } });
    await load.ask("close");
    const commits = await worker.ask<number>("commits");
    await worker.stop();
    const flushes = before === undefined ? commits : ((await database.flushes()) ?? 0) - before;
    return { ...subject, flushesPerRequest: flushes / requests };
  } finally {
    await worker.stop();
    await database.drop();
  }
}
