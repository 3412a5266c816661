/** How much is measured. */
export interface Plan {
  /** Streams at the same time. */
  readonly streams: number;
  /** How long each streams, seconds. */
  readonly seconds: number;
  /** Between the starts of two streams, milliseconds. */
  readonly everyMs: number;
  /** Readers that stop reading. */
  readonly stalled: number;
}

export const fullPlan: Plan = { streams: 200, seconds: 12, everyMs: 20, stalled: 20 };
export const quickPlan: Plan = { streams: 50, seconds: 6, everyMs: 20, stalled: 20 };
