import type { LoadResult } from "../load/closed-loop.ts";
import type { LoadOrder } from "../load/load-worker.ts";
import type { SizeName } from "../messages.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import type { Until } from "../until.ts";
import type { Databases } from "./databases.ts";
import { askingOf, peers, type Mode, type PeerName } from "./peers.ts";
import { points, type Plan, type Point } from "./plan.ts";

/** One server in one mode, one point, one round. */
export interface DurableSample extends Point {
  readonly peer: PeerName;
  readonly mode: Mode;
  readonly round: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request; that of PostgreSQL is not in it. */
  readonly cpuUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** What is measured with. */
export interface Bench {
  readonly plan: Plan;
  readonly load: Worker;
  readonly databases: Databases;
  readonly cpuProf: string | undefined;
}

export interface Subject {
  readonly peer: PeerName;
  readonly mode: Mode;
}

/** Measures a server in a fresh process on an empty database, each point after a warm-up. Throws when one answer of all was wrong. */
export async function measurePeer(
  subject: Subject,
  round: number,
  { plan, load, databases, cpuProf }: Bench,
): Promise<DurableSample[]> {
  const { peer, mode } = subject;
  const database = await databases.create(peers[peer].engine);
  const nodeOptions = cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${cpuProf}/${peer}-${mode}`];
  const worker = spawnWorker("durable/peer-worker.ts", [peer, mode, database.url], { side: "server", nodeOptions });
  const samples: DurableSample[] = [];
  try {
    const url = await worker.ask<string>("listen");
    await load.ask("open", { url, connections: 10 });
    await runLoad(load, subject, { size: "300 B", until: plan.warmUp });
    await load.ask("close");
    for (const { size, connections } of points) {
      await load.ask("open", { url, connections });
      await runLoad(load, subject, { size, until: { ms: plan.settleMs } });
      const windows: DurableSample[] = [];
      for (let window = 0; window < plan.windows; window++) {
        await worker.ask("startCpu");
        const result = await runLoad(load, subject, { size, until: { ms: plan.windowMs } });
        const cpu = await worker.ask<number>("stopCpu");
        const { requests, seconds, p50Us, p99Us } = result;
        const figures = { requestsPerSecond: requests / seconds, cpuUs: cpu / requests, p50Us, p99Us };
        windows.push({ ...subject, round, size, connections, ...figures });
      }
      samples.push(windows.reduce((best, next) => (next.requestsPerSecond > best.requestsPerSecond ? next : best)));
      await load.ask("close");
    }
    return samples;
  } finally {
    await worker.stop();
    await database.drop();
  }
}

/** Puts one load on a server. It waits asleep: the database needs the core too. */
export async function runLoad(
  load: Worker,
  { peer, mode }: Subject,
  what: { readonly size: SizeName; readonly until: Until },
): Promise<LoadResult> {
  const { dialect, headers, expects } = askingOf(peers[peer], mode);
  const order: LoadOrder = { dialect, headers, expects, spins: false, ...what };
  const result = await load.ask<LoadResult>("run", order, (what.until.ms ?? 0) + 60_000);
  if (result.wrong === 0) return result;
  throw new Error(`${peer} gave ${result.wrong} wrong answers, such as: ${result.firstWrong}`);
}
