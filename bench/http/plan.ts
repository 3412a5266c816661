import type { SizeName } from "../requests/messages.ts";

/** How much is measured. Times are milliseconds, spent once a round and size. */
export interface Plan {
  readonly rounds: number;
  /** Connections of the load, and calls in flight of a client. */
  readonly connections: number;
  /** Requests before the measurement: a time would be too short for a slow server, or on a busy machine. */
  readonly warmUp: Readonly<Record<SizeName, number>>;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  readonly stepMs: number;
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
