import type { Plan } from "../plan.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import type { Until } from "../until.ts";
import type { ClientName } from "./clients.ts";

/** One client in one round. */
export interface ClientSample {
  client: ClientName;
  round: number;
  /** CPU time of the client's process, microseconds a call. */
  cpuUs: number;
}

/** Measures a client in a fresh process against a bare server, the best of several windows. Throws when an answer was wrong. */
export async function measureClient(name: ClientName, round: number, plan: Plan): Promise<ClientSample> {
  const server = spawnWorker("servers/server-worker.ts", ["bare"], { side: "server" });
  const client = spawnWorker("clients/client-worker.ts", [name], { side: "load" });
  try {
    const url = await server.ask<string>("listen");
    await client.ask("open", { url, connections: plan.connections });
    await run(client, { requests: plan.warmUp["300 B"] });
    let cpuUs = Infinity;
    for (let window = 0; window < plan.windows; window++) {
      await client.ask("startCpu");
      const calls = await run(client, { ms: plan.windowMs });
      cpuUs = Math.min(cpuUs, (await client.ask<number>("stopCpu")) / calls);
    }
    await client.ask("close");
    return { client: name, round, cpuUs };
  } finally {
    await Promise.all([client.stop(), server.stop()]);
  }
}

async function run(client: Worker, until: Until): Promise<number> {
  return client.ask<number>("run", until, 60_000);
}
