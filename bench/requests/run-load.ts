import type { Worker } from "../kit/worker.ts";
import type { LoadResult } from "./closed-loop.ts";
import type { LoadOrder } from "./load-worker.ts";

/** Puts one load on a server. Throws when one answer of all was wrong. */
export async function runLoad(load: Worker, server: string, order: LoadOrder): Promise<LoadResult> {
  const result = await load.call<LoadResult>("run", order, (order.until.ms ?? 0) + 60_000);
  if (result.wrong === 0) return result;
  throw new Error(`${server} gave ${result.wrong} wrong answers, such as: ${result.firstWrong}`);
}

/** The same while the CPU time of the server's process is measured, microseconds a request. */
export async function runMeasuredLoad(
  load: Worker,
  { name, worker }: { readonly name: string; readonly worker: Worker },
  order: LoadOrder,
) {
  await worker.call("startCpu");
  const { requests, seconds, p50Us, p99Us } = await runLoad(load, name, order);
  const cpu = await worker.call<number>("stopCpu");
  const busy = cpu / 1e6 / seconds;
  return { requestsPerSecond: requests / seconds, cpuUs: cpu / requests, busy, p50Us, p99Us };
}
