import type { LoadResult } from "../load/closed-loop.ts";
import type { LoadOrder } from "../load/load-worker.ts";
import { answerText, sizeNames, type SizeName } from "../messages.ts";
import type { Plan } from "../plan.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import { checkServer } from "./check-server.ts";
import { servers, type ServerName } from "./servers.ts";

/** One server, one size, one round. */
export interface ServerSample {
  server: ServerName;
  size: SizeName;
  round: number;
  requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request. */
  cpuUs: number;
  /** Part of the time that the server's process was at work; well below 1, the load or the machine was the limit. */
  busy: number;
  p50Us: number;
  p99Us: number;
}

/**
 * Measures a server in a fresh process, each size after a warm-up. Of several short windows the best counts: what else the
 * machine does can only make a server look slower. Throws when one answer of all was wrong.
 */
export async function measureServer(
  server: ServerName,
  round: number,
  { plan, load }: { plan: Plan; load: Worker },
): Promise<ServerSample[]> {
  const nodeOptions = plan.cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${plan.cpuProf}/${server}`];
  const worker = spawnWorker("servers/server-worker.ts", [server], { side: "server", nodeOptions });
  const samples: ServerSample[] = [];
  try {
    const url = await worker.ask<string>("listen");
    await checkServer(server, url, servers[server]);
    await load.ask("open", { url, connections: plan.connections });
    for (const size of sizeNames) {
      await runLoad(load, server, { size, until: { requests: plan.warmUp[size] } });
      const windows: ServerSample[] = [];
      for (let window = 0; window < plan.windows; window++) {
        await worker.ask("startCpu");
        const { requests, seconds, p50Us, p99Us } = await runLoad(load, server, { size, until: { ms: plan.windowMs } });
        const cpu = await worker.ask<number>("stopCpu");
        const figures = { requestsPerSecond: requests / seconds, cpuUs: cpu / requests, busy: cpu / 1e6 / seconds };
        windows.push({ server, size, round, ...figures, p50Us, p99Us });
      }
      samples.push(windows.reduce((best, next) => (next.requestsPerSecond > best.requestsPerSecond ? next : best)));
    }
    return samples;
  } finally {
    await load.ask("close");
    await worker.stop();
  }
}

async function runLoad(load: Worker, server: ServerName, what: Pick<LoadOrder, "size" | "until">): Promise<LoadResult> {
  const { dialect, headers } = servers[server];
  const order: LoadOrder = { dialect, headers, expects: answerText, spins: true, ...what };
  const result = await load.ask<LoadResult>("run", order, 60_000);
  if (result.wrong === 0) return result;
  throw new Error(`${server} gave ${result.wrong} wrong answers, such as: ${result.firstWrong}`);
}
