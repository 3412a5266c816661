import { ZoneError, type TaskState } from "@crosszone/contracts";

/** Which state may follow which. A state that nothing follows is final. */
const successors: Readonly<Record<TaskState, readonly TaskState[]>> = {
  submitted: ["working", "error", "canceled", "timed_out"],
  working: ["success", "error", "canceled", "timed_out"],
  success: [],
  error: [],
  canceled: [],
  timed_out: [],
};

/** Whether a task in this state is done for good. */
export function isFinal(state: TaskState): boolean {
  return successors[state].length === 0;
}

/** Whether a task may move from one state to the other. */
export function mayMove(from: TaskState, to: TaskState): boolean {
  return successors[from].includes(to);
}

/** Throws `invalid_state_transition` unless a task may move from one state to the other. */
export function assertMove(from: TaskState, to: TaskState, taskId: string): void {
  if (!mayMove(from, to)) throw new ZoneError("invalid_state_transition", { task_id: taskId });
}
