import { bestOf } from "../kit/rounds.ts";
import { spawnWorker } from "../kit/worker.ts";
import type { Until } from "../requests/closed-loop.ts";
import { sizeNames, type SizeName } from "../requests/messages.ts";
import type { StepOrder, StepTimes } from "./client-worker.ts";
import type { ClientName } from "./clients.ts";
import type { Plan } from "./plan.ts";

/** One client in one round. */
export interface ClientSample {
  readonly client: ClientName;
  readonly round: number;
  /** CPU time of the client's process, microseconds a call. */
  readonly cpuUs: number;
}

/** Measures a client in a fresh process against a bare server. Throws when an answer was wrong. */
export async function measureClient(name: ClientName, round: number, plan: Plan): Promise<ClientSample> {
  const server = spawnWorker("http/server-worker.ts", { args: ["bare"], side: "server" });
  const client = spawnWorker("http/client-worker.ts", { args: [name], side: "load" });
  const run = (until: Until): Promise<number> => client.call<number>("run", until, 60_000);
  const window = async (): Promise<number> => {
    await client.call("startCpu");
    const calls = await run({ ms: plan.windowMs });
    return (await client.call<number>("stopCpu")) / calls;
  };
  try {
    const url = await server.call<string>("listen");
    await client.call("open", { url, connections: plan.connections });
    await run(plan.warmUp["300 B"]);
    const cpuUs = await bestOf(plan.windows, window, (us) => -us);
    await client.call("close");
    return { client: name, round, cpuUs };
  } finally {
    await Promise.all([client.stop(), server.stop()]);
  }
}

/** Our client's own work at one size in one round. */
export interface StepSample extends StepTimes {
  readonly size: SizeName;
  readonly round: number;
}

/** Measures the steps of our client in a fresh process, each size after a warm-up. */
export async function measureSteps(round: number, { stepMs }: Plan): Promise<StepSample[]> {
  const worker = spawnWorker("http/client-worker.ts", { side: "load" });
  const measure = (size: SizeName): Promise<StepTimes> =>
    worker.call<StepTimes>("steps", { size, ms: stepMs } satisfies StepOrder);
  try {
    const samples: StepSample[] = [];
    for (const size of sizeNames) {
      await measure(size);
      samples.push({ size, round, ...(await measure(size)) });
    }
    return samples;
  } finally {
    await worker.stop();
  }
}
