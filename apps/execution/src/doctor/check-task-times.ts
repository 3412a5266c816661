import { judgeFit, type Check } from "@crosszone/service-kit/doctor";

const reads = ["SYNC_WINDOW_MS", "MAX_WAIT_MS", "TASK_DEADLINE", "TASK_RETENTION"] as const;

/** The times of this zone that depend on each other. Milliseconds. */
export type TaskTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Whether the times of this zone make sense together. */
export function checkTaskTimes(times: TaskTimes): Check {
  const { SYNC_WINDOW_MS: sync, MAX_WAIT_MS: wait, TASK_DEADLINE: deadline, TASK_RETENTION: retention } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`tasks within ${deadline} ms, kept for ${retention} ms`, [
        [
          sync >= deadline,
          `TASK_DEADLINE is not above ${sync} ms, the time that a request waits for its answer. Raise it.`,
        ],
        [
          retention < 4 * wait,
          "TASK_RETENTION is shorter than a few polls: answers are forgotten before they are fetched. Raise it.",
        ],
      ]),
  };
}
