import { sizeNames, type SizeName } from "../messages.ts";
import type { Plan } from "../plan.ts";
import { spawnWorker } from "../process/spawn-worker.ts";
import type { StepOrder, StepTimes } from "./step-worker.ts";

/** Our client's own work at one size in one round. */
export interface StepSample extends StepTimes {
  size: SizeName;
  round: number;
}

/** Measures both steps in a fresh process, each size after a warm-up. */
export async function measureSteps(round: number, { stepMs }: Plan): Promise<StepSample[]> {
  const worker = spawnWorker("clients/step-worker.ts", [], { side: "load" });
  const measure = (size: SizeName): Promise<StepTimes> =>
    worker.ask<StepTimes>("measure", { size, ms: stepMs } satisfies StepOrder);
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
