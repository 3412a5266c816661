import { judgeFit, type Check } from "@crosszone/service-kit/doctor";

const reads = ["SYNC_WINDOW_MS", "MAX_WAIT_MS", "TASK_DEADLINE_MS", "TASK_RETENTION_MS"] as const;

/** Settings of this zone that depend on each other, in milliseconds. */
export type TaskTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Checks that the zone's time settings are consistent. */
export function checkTaskTimes(times: TaskTimes): Check {
  const { SYNC_WINDOW_MS: sync, MAX_WAIT_MS: wait, TASK_DEADLINE_MS: deadline, TASK_RETENTION_MS: retention } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`tasks time out after ${deadline} ms and are kept for ${retention} ms`, [
        [sync >= deadline, "SYNC_WINDOW_MS is not below TASK_DEADLINE_MS: callers never poll a task. Lower it."],
        [wait === 0, "MAX_WAIT_MS is 0: verification polls without a pause. Raise it."],
        [
          retention < 4 * wait,
          "TASK_RETENTION_MS is shorter than a few polls: tasks are deleted before callers fetch their results. Raise it.",
        ],
      ]),
  };
}
