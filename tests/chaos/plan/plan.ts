import { planDisturbances, type Disturbance } from "./disturbance-plan.ts";
import { planAsks, planMessages, type PlannedMessage, withChanges } from "./message-plan.ts";

/** The plan of a run: a pure function of the seed, the number of messages and kills, and the engine. */
export interface Plan {
  /** Time in which all messages are written and all disturbances begin, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly disturbances: readonly Disturbance[];
  /** With approvals: people decide in the second half of the disturbances, when all requests are open. */
  readonly halfMs?: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly messages: number;
  readonly engine: "sqlite" | "postgres" | "kafka";
  /** Number of kills; with approvals, of each zone and server. Default: one every 3.3 seconds. */
  readonly kills?: number;
  /** Number of questions that ask people, instead of messages. */
  readonly approvals?: number | undefined;
}

/** Returns the time span of a plan with this number of messages, milliseconds. */
export const spanOf = (messages: number): number => Math.max(15_000, messages * 330);

/** Returns the half of a plan with this number of approvals, milliseconds. */
const halfOf = (approvals: number): number => Math.max(15_000, approvals * 150);

/** Returns when what nobody decides expires, milliseconds: usually when all others are open too. */
export const leftMsOf = (approvals: number): number => 45_000 + 2 * halfOf(approvals);

/** Plans a message every third of a second, and at least 15 seconds, so that disturbances have time. */
export function planRun({ seed, messages, engine, kills, approvals }: PlanOptions): Plan {
  const has = { hasServer: engine !== "sqlite", hasBroker: engine === "kafka" };
  if (approvals !== undefined) {
    const halfMs = halfOf(approvals);
    const disturbances = planDisturbances(seed, { spanMs: 2 * halfMs, killsOfEach: kills, ...has });
    return { spanMs: 2 * halfMs, halfMs, messages: planAsks(seed, approvals, halfMs), disturbances };
  }
  const spanMs = spanOf(messages);
  return {
    spanMs,
    messages: withChanges(seed, planMessages(seed, messages, spanMs)),
    disturbances: planDisturbances(seed, { spanMs, kills, ...has }),
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
    ...(plan.halfMs !== undefined && { halfMs: plan.halfMs * stretch }),
    messages: plan.messages.map(later),
    disturbances: plan.disturbances.map(later),
  };
}
