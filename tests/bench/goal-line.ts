import type { GoalResult } from "./goals.ts";

/** `core ≥ 0.78 of bare at 300 B: 0.81 ✓`, with the same by CPU time where there is one. */
export function goalLine({ goal, value, met, byCpu }: GoalResult): string {
  const note = byCpu === undefined ? "" : ` (by CPU time ${byCpu.toFixed(2)})`;
  return met ? `${goal}: ${value.toFixed(2)} ✓${note}` : `${goal}: ✗ ${value.toFixed(2)}${note}`;
}
