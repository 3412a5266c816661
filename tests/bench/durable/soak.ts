import { spawnWorker } from "../process/spawn-worker.ts";
import { runLoad, type Bench, type Subject } from "./measure-peer.ts";
import type { Footing } from "./peer-worker.ts";
import { peers, type PeerName } from "./peers.ts";

/** What a server's process took after a part of a long load. */
export interface SoakReading extends Footing {
  readonly peer: PeerName;
  readonly second: number;
  readonly requests: number;
}

const parts = 8;

/** Tasks are forgotten while the load goes on. */
const retentionMs = 10_000;

/** Keeps a server under the load of 100 connections and looks at its process eight times, the first time after an eighth. */
export async function soak(
  subject: Subject,
  { seconds, bench }: { seconds: number; bench: Bench },
): Promise<SoakReading[]> {
  const { load, databases } = bench;
  const { peer, mode } = subject;
  const database = await databases.create(peers[peer].engine);
  const worker = spawnWorker("durable/peer-worker.ts", [peer, mode, database.url, String(retentionMs)], {
    side: "server",
  });
  const readings: SoakReading[] = [];
  try {
    await load.ask("open", { url: await worker.ask<string>("listen"), connections: 100 });
    await worker.ask("footing");
    for (let part = 1; part <= parts; part++) {
      const until = { ms: (seconds * 1_000) / parts };
      const { requests } = await runLoad(load, subject, { size: "300 B", until });
      readings.push({ peer, second: (seconds * part) / parts, requests, ...(await worker.ask<Footing>("footing")) });
    }
    await load.ask("close");
    return readings;
  } finally {
    await worker.stop();
    await database.drop();
  }
}
