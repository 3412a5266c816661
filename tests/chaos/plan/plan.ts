import { planDisturbances, type Disturbance } from "./disturbance-plan.ts";
import { planMessages, type PlannedMessage } from "./message-plan.ts";

/** The plan of a run: a pure function of the seed, the number of messages and kills, and the engine. */
export interface Plan {
  /** Time in which all messages are written and all disturbances begin, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly disturbances: readonly Disturbance[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly messages: number;
  readonly engine: "sqlite" | "postgres" | "kafka";
  /** Number of kills. Default: one every 3.3 seconds. */
  readonly kills?: number;
}

/** Returns the time span of a plan with this number of messages, milliseconds. */
export const spanOf = (messages: number): number => Math.max(15_000, messages * 330);

/** Plans a message every third of a second, and at least 15 seconds, so that disturbances have time. */
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

/** Stretches a plan for a slow machine, where otherwise the zones would only ever be starting. The events and their order stay the same. */
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
