import type { AgentCanary, AgentErrorKind } from "@crosszone/contracts";
import type { CanaryResult } from "../observer/bridge-observer.ts";

/** One ended task. */
export interface EndedTask {
  readonly state: "succeeded" | "failed" | "canceled";
  readonly kind: AgentErrorKind | null;
  /** From the first request to the end, milliseconds; null in rows of earlier versions. */
  readonly tookMs: number | null;
}

/** A question of the agent is an answer. */
const answers: ReadonlySet<string> = new Set<AgentErrorKind>(["input_required", "auth_required"]);
/** Failures that the agent did not cause. */
const notItsOwn: ReadonlySet<string> = new Set<AgentErrorKind>([
  "canceled",
  "internal",
  "invalid_task",
  "unknown_agent",
  "agent_disabled",
]);

export function resultOf({ state, kind }: Pick<EndedTask, "state" | "kind">): CanaryResult {
  if (state === "canceled" || (kind !== null && notItsOwn.has(kind))) return "other";
  return state === "succeeded" || (kind !== null && answers.has(kind)) ? "success" : "error";
}

/** The latest ended tasks of both sides. */
export interface CanaryTasks {
  readonly canary: readonly EndedTask[];
  readonly stable: readonly EndedTask[];
}

/** Returns why a canary must end, in a sentence; undefined while it is not worse than its limits allow, or too few of its tasks ended. */
export function judgeCanary(limits: AgentCanary, { canary, stable }: CanaryTasks): string | undefined {
  const [its, others] = [countsOf(canary), countsOf(stable)];
  if (its.tasks < limits.min_tasks) return undefined;
  if (rateOf(its) - rateOf(others) > limits.max_error_rate)
    return `${its.errors} of ${its.tasks} tasks of the canary failed, and ${others.errors} of ${others.tasks} others.`;
  const [slow, usual] = [medianOf(canary), medianOf(stable)];
  if (others.tasks < limits.min_tasks || slow === undefined || usual === undefined) return undefined;
  if (slow <= limits.max_latency_ratio * Math.max(usual, 1)) return undefined;
  return `The median task of the canary takes ${Math.round(slow)} ms, and that of the others ${Math.round(usual)} ms.`;
}

interface Counts {
  readonly tasks: number;
  readonly errors: number;
}

function countsOf(tasks: readonly EndedTask[]): Counts {
  const results = tasks.map(resultOf).filter((result) => result !== "other");
  return { tasks: results.length, errors: results.filter((result) => result === "error").length };
}

const rateOf = ({ tasks, errors }: Counts): number => (tasks === 0 ? 0 : errors / tasks);

function medianOf(tasks: readonly EndedTask[]): number | undefined {
  const times = tasks.flatMap(({ state, tookMs }) => (state === "succeeded" && tookMs !== null ? [tookMs] : []));
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
