import { planDisturbances, type Disturbance } from "./disturbance-plan.ts";
import { planMessages, type PlannedMessage } from "./message-plan.ts";

/** The whole run before it begins: a pure function of the seed, the number of messages and the engine. */
export interface Plan {
  /** Within it everything is written and everything goes wrong, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly disturbances: readonly Disturbance[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly messages: number;
  readonly engine: "sqlite" | "postgres";
}

/** A message every third of a second, and at least a quarter of a minute, so that there is time for things to go wrong. */
export function planRun({ seed, messages, engine }: PlanOptions): Plan {
  const spanMs = Math.max(15_000, messages * 330);
  return {
    spanMs,
    messages: planMessages(seed, messages, spanMs),
    disturbances: planDisturbances(seed, { spanMs, hasServer: engine === "postgres" }),
  };
}

const usualStartMs = 1_500;
const longestStretch = 3;

/**
 * The plan for a machine on which the zones take so long to start: where that is long, everything comes later by as much, else
 * they would only ever be starting. What comes, and in which order, is the same.
 */
export function stretchPlan(plan: Plan, startedInMs: number): Plan & { readonly stretch: number } {
  const stretch = Math.min(longestStretch, Math.max(1, startedInMs / usualStartMs));
  const later = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: Math.round(one.at * stretch) });
  return {
    stretch,
    spanMs: plan.spanMs * stretch,
    messages: plan.messages.map(later),
    disturbances: plan.disturbances.map(later),
  };
}
