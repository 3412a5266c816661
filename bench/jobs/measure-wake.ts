import { spreadOf, type Spread } from "../kit/statistics.ts";
import { waitUntil } from "../kit/wait-until.ts";
import type { Worker } from "../kit/worker.ts";
import { timeoutMs, withProcess, withTable, type Bench } from "./bench.ts";
import type { SubjectOnEngine } from "./measure-drain.ts";
import { subjects } from "./plan.ts";

/** How soon another process had a job: from the start of the insert. */
export interface WakeRow extends Spread, SubjectOnEngine {
  /** Jobs a second. */
  readonly rate: number;
  readonly jobs: number;
}

const share = "bench wake";

export async function measureWake(bench: Bench): Promise<WakeRow[]> {
  const { rates, ms } = bench.plan.wake;
  const rows: WakeRow[] = [];
  for (const subject of subjects)
    await withTable(bench, ({ url }) =>
      withProcess(bench, [subject, url], (receiver) =>
        withProcess(bench, [subject, url], async (adder) => {
          await receiver.call("receive", share, timeoutMs);
          for (const rate of rates) {
            bench.progress(` ${subject} ${rate}/s`);
            await addAll(receiver, adder, { rate, ms: ms / 5 });
            const latencies = await addAll(receiver, adder, { rate, ms });
            rows.push({ engine: bench.engine, subject, rate, jobs: latencies.length, ...spreadOf(latencies) });
          }
        }),
      ),
    );
  return rows;
}

/** Returns the latency of each job, when all of them have arrived. */
async function addAll(
  receiver: Worker,
  adder: Worker,
  load: { readonly rate: number; readonly ms: number },
): Promise<readonly number[]> {
  await receiver.call("forget");
  const added = await adder.call<number>("add", { share, ...load }, timeoutMs);
  return waitUntil(`${added} jobs arrived`, async () => {
    const latencies = await receiver.call<readonly number[]>("latencies");
    return latencies.length >= added ? latencies : undefined;
  });
}
