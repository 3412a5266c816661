import type { Worker } from "../process/spawn-worker.ts";
import { until } from "../load-run/zone-process.ts";
import { quantile } from "../statistics.ts";
import { patienceMs, withProcess, withTable, type Bench } from "./bench.ts";
import type { Spread } from "./measure-drain.ts";
import { subjects, type Engine, type SubjectName } from "./plan.ts";

/** How soon another process had a job: from the start of the insert. */
export interface WakeRow extends Spread {
  readonly engine: Engine;
  readonly subject: SubjectName;
  /** Jobs a second. */
  readonly rate: number;
  readonly jobs: number;
}

const share = "bench wake";

export async function measureWake(bench: Bench): Promise<WakeRow[]> {
  const rows: WakeRow[] = [];
  for (const subject of subjects)
    await withTable(bench, ({ url }) =>
      withProcess(bench, [subject, url], (receiver) =>
        withProcess(bench, [subject, url], async (adder) => {
          await receiver.ask("receive", share, patienceMs);
          for (const rate of bench.plan.wake.rates) {
            bench.progress(` ${subject} ${rate}/s`);
            await addAll(receiver, adder, { rate, ms: bench.plan.wake.ms / 5 });
            const latencies = await addAll(receiver, adder, { rate, ms: bench.plan.wake.ms });
            const sorted = latencies.toSorted((a, b) => a - b);
            const spread = { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
            rows.push({ engine: bench.engine, subject, rate, jobs: sorted.length, ...spread });
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
  await receiver.ask("forget");
  const added = await adder.ask<number>("add", { share, ...load }, patienceMs);
  return until(`${added} jobs arrived`, async () => {
    const latencies = await receiver.ask<readonly number[]>("latencies");
    return latencies.length >= added ? latencies : undefined;
  });
}
