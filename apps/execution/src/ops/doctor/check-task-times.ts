import { judgeFit, type Check } from "@crosszone/service-kit/doctor";

const reads = ["SYNC_WINDOW_MS", "MAX_WAIT_MS", "TASK_DEADLINE", "TASK_RETENTION"] as const;

/** Settings of this zone that depend on each other, in milliseconds. */
export type TaskTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Checks that the zone's time settings are consistent. */
export function checkTaskTimes(times: TaskTimes): Check {
  const { SYNC_WINDOW_MS: sync, MAX_WAIT_MS: wait, TASK_DEADLINE: deadline, TASK_RETENTION: retention } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`tasks time out after ${deadline} ms and are kept for ${retention} ms`, [
        [
          sync >= deadline,
          `TASK_DEADLINE is not above ${sync} ms, the time that a request waits for its answer. Raise it.`,
        ],
        [
          retention < 4 * wait,
          "TASK_RETENTION is shorter than a few polls: tasks are deleted before callers fetch their results. Raise it.",
        ],
      ]),
  };
}
