import { passed, warned, type Check } from "@crosszone/service-kit/doctor";

/** The times of this zone that depend on each other. Milliseconds. */
export interface TaskTimes {
  readonly SYNC_WINDOW_MS: number;
  readonly MAX_WAIT_MS: number;
  readonly TASK_DEADLINE_MS: number;
  readonly TASK_RETENTION_MS: number;
}

/** Whether the times of this zone make sense together. */
export function checkTaskTimes(times: TaskTimes): Check {
  const { SYNC_WINDOW_MS: sync, MAX_WAIT_MS: wait, TASK_DEADLINE_MS: deadline, TASK_RETENTION_MS: retention } = times;
  return {
    name: "limits",
    reads: Object.keys(times),
    run: () => {
      const todo = [
        ...(sync >= deadline
          ? ["SYNC_WINDOW_MS is not below TASK_DEADLINE_MS: no task is ever polled for. Lower it."]
          : []),
        ...(wait === 0 ? ["MAX_WAIT_MS is 0: verification polls without a pause. Raise it."] : []),
        ...(retention < 4 * wait
          ? ["TASK_RETENTION_MS is shorter than a few polls: answers are forgotten before they are fetched. Raise it."]
          : []),
      ];
      return todo.length === 0
        ? passed(`tasks within ${deadline} ms, kept for ${retention} ms`)
        : warned("the times do not fit together", ...todo);
    },
  };
}
