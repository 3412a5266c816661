import type { TaskState } from "@crosszone/contracts";

/** The ways in which a task ends. Each of them may follow on `working`; all but `success` on `submitted`; nothing follows on them. */
const finalStates = ["success", "error", "canceled", "timed_out"] as const satisfies TaskState[];

export type FinalState = (typeof finalStates)[number];

/** Whether a task in this state is done for good. */
export function isFinal(state: TaskState): state is FinalState {
  return (finalStates as readonly TaskState[]).includes(state);
}
