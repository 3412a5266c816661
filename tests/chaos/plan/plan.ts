import { planDisturbances, type Disturbance } from "./disturbance-plan.ts";
import { planMessages, type PlannedMessage } from "./message-plan.ts";

/** The whole run before it begins: a pure function of the seed, the number of messages and of kills, and the engine. */
export interface Plan {
  /** Within it everything is written and everything goes wrong, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly disturbances: readonly Disturbance[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly messages: number;
  readonly engine: "sqlite" | "postgres" | "kafka";
  /** How often something is killed; as often as usual when absent. */
  readonly kills?: number | undefined;
}

/** The time of a plan of so many messages, milliseconds. */
export const spanOf = (messages: number): number => Math.max(15_000, messages * 330);

/** A message every third of a second, and at least a quarter of a minute, so that there is time for things to go wrong. */
export function planRun({ seed, messages, engine, kills }: PlanOptions): Plan {
  const spanMs = spanOf(messages);
  return {
    spanMs,
    messages: planMessages(seed, messages, spanMs),
    disturbances: planDisturbances(seed, {
      spanMs,
      kills,
      hasServer: engine !== "sqlite",
      hasBroker: engine === "kafka",
    }),
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
