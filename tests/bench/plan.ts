import type { SizeName } from "./messages.ts";

/** How much is measured. Times are milliseconds, spent once a round and size. */
export interface Plan {
  rounds: number;
  /** Connections of the load, and calls in flight of a client. */
  connections: number;
  /** Requests that come first and are not measured: a time would be too short for a slow server, or on a busy machine. */
  warmUp: Readonly<Record<SizeName, number>>;
  /** What is measured is looked at through so many windows, and the best one counts. */
  windows: number;
  windowMs: number;
  stepMs: number;
  /** Folder for CPU profiles of the servers. */
  cpuProf?: string | undefined;
}

/** About five minutes for everything. */
export const fullPlan: Plan = {
  rounds: 5,
  connections: 10,
  warmUp: { "300 B": 10_000, "16 KB": 4_000 },
  windows: 10,
  windowMs: 120,
  stepMs: 300,
};

/** About thirty seconds. */
export const quickPlan: Plan = {
  rounds: 2,
  connections: 10,
  warmUp: { "300 B": 4_000, "16 KB": 1_000 },
  windows: 5,
  windowMs: 60,
  stepMs: 100,
};
