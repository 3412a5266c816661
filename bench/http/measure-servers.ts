import { bestOf } from "../kit/rounds.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import type { LoadOrder } from "../requests/load-worker.ts";
import { answerText, sizeNames, type SizeName } from "../requests/messages.ts";
import { runLoad, runMeasuredLoad } from "../requests/run-load.ts";
import { checkServer } from "./check-server.ts";
import type { Plan } from "./plan.ts";
import { servers, type ServerName } from "./servers.ts";

/** One server, one size, one round. */
export interface ServerSample {
  readonly server: ServerName;
  readonly size: SizeName;
  readonly round: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request. */
  readonly cpuUs: number;
  /** Part of the time that the server's process was at work. Well below 1, the load or the machine was the limit. */
  readonly busy: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Measures a server in a fresh process, each size after a warm-up; the best of several short windows counts. */
export async function measureServer(
  server: ServerName,
  round: number,
  { plan, load, cpuProf }: { readonly plan: Plan; readonly load: Worker; readonly cpuProf: string | undefined },
): Promise<ServerSample[]> {
  const { dialect, headers } = servers[server];
  const worker = spawnWorker("http/server-worker.ts", {
    args: [server],
    side: "server",
    cpuProf: cpuProf && `${cpuProf}/${server}`,
  });
  const samples: ServerSample[] = [];
  try {
    const url = await worker.call<string>("listen");
    await checkServer(server, url, servers[server]);
    await load.call("open", { url, connections: plan.connections });
    for (const size of sizeNames) {
      const order = { dialect, headers, expects: answerText, spins: true, size };
      const window: LoadOrder = { ...order, until: { ms: plan.windowMs } };
      await runLoad(load, server, { ...order, until: { requests: plan.warmUp[size] } });
      const best = await bestOf(
        plan.windows,
        () => runMeasuredLoad(load, { name: server, worker }, window),
        ({ requestsPerSecond }) => requestsPerSecond,
      );
      samples.push({ server, size, round, ...best });
    }
    return samples;
  } finally {
    await load.call("close");
    await worker.stop();
  }
}
