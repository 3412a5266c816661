import type { TaskState } from "@crosszone/contracts";

/**
 * The final states of a task. Each can follow `working`; all but `success` can follow `submitted`; none has a
 * successor.
 */
const finalStates = ["success", "error", "canceled", "timed_out"] as const satisfies TaskState[];

export type FinalState = (typeof finalStates)[number];

/** Whether a state is final. */
export function isFinal(state: TaskState): state is FinalState {
  return (finalStates as readonly TaskState[]).includes(state);
}
