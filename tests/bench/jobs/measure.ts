import { startDatabases } from "../durable/databases.ts";
import type { Bench } from "./bench.ts";
import { measureDrain, measureKept, type DrainPoint } from "./measure-drain.ts";
import { measureLanes, type LanesRow } from "./measure-lanes.ts";
import { measureSnapshot, type SnapshotCurve } from "./measure-snapshot.ts";
import { measureWake, type WakeRow } from "./measure-wake.ts";
import type { JobsOptions } from "./options.ts";
import { engineTitles, type Part } from "./plan.ts";

/** All that was measured. What was not selected is empty. */
export interface JobFigures {
  readonly drain: readonly DrainPoint[];
  readonly kept: readonly DrainPoint[];
  readonly snapshot: readonly SnapshotCurve[];
  readonly lanes: readonly LanesRow[];
  readonly wake: readonly WakeRow[];
}

const measures = {
  drain: measureDrain,
  kept: measureKept,
  snapshot: measureSnapshot,
  lanes: measureLanes,
  wake: measureWake,
} as const satisfies Record<Part, (bench: Bench) => Promise<readonly unknown[]>>;

/** Measures one database after the other. */
export async function measureJobs(
  { plan, engines, parts, cpuProf }: JobsOptions,
  progress: (text: string) => void,
): Promise<JobFigures> {
  const databases = await startDatabases(new Set(engines));
  const found: Record<Part, unknown[]> = { drain: [], kept: [], snapshot: [], lanes: [], wake: [] };
  try {
    for (const engine of engines)
      for (const part of parts) {
        progress(`${engineTitles[engine]}, ${part}:`);
        found[part].push(...(await measures[part]({ plan, engine, databases, cpuProf, progress })));
        progress("\n");
      }
    return found as unknown as JobFigures;
  } finally {
    await databases.stop();
  }
}
