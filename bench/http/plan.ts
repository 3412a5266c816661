import type { Until } from "../requests/closed-loop.ts";
import type { SizeName } from "../requests/messages.ts";

/** How much is measured. Times are milliseconds, spent once a round and size. */
export interface Plan {
  readonly rounds: number;
  /** Connections of the load, and calls in flight of a client. */
  readonly connections: number;
  /** Before the measurement: a number of requests, or a time if they take longer. */
  readonly warmUp: Readonly<Record<SizeName, Until>>;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  readonly stepMs: number;
  /** How often each server whose tasks survive a crash is killed. */
  readonly kills: number;
}

/** About five minutes for everything. */
export const fullPlan: Plan = {
  rounds: 5,
  connections: 10,
  warmUp: { "300 B": { requests: 10_000, ms: 10_000 }, "16 KB": { requests: 4_000, ms: 6_000 } },
  windows: 10,
  windowMs: 120,
  stepMs: 300,
  kills: 3,
};

/** About thirty seconds. */
export const quickPlan: Plan = {
  rounds: 2,
  connections: 10,
  warmUp: { "300 B": { requests: 4_000, ms: 4_000 }, "16 KB": { requests: 1_000, ms: 2_000 } },
  windows: 5,
  windowMs: 60,
  stepMs: 100,
  kills: 1,
};
