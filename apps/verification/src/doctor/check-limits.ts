import { judgeFit, type Check } from "@crosszone/service-kit/doctor";

const reads = ["EXECUTION_TIMEOUT", "EXECUTION_RETRY_BUDGET", "POLL_WAIT", "ANSWER_DEADLINE"] as const;

/** The times of this zone that depend on each other. Milliseconds. */
export type LinkTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Most proxies and load balancers cut an answer that takes longer. Milliseconds. */
const usualIdleCutMs = 60_000;

/** Whether the times of this zone make sense together. */
export function checkLimits(times: LinkTimes): Check {
  const {
    EXECUTION_TIMEOUT: timeout,
    EXECUTION_RETRY_BUDGET: budget,
    POLL_WAIT: wait,
    ANSWER_DEADLINE: deadline,
  } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`polls of ${wait} ms, answers within ${deadline} ms`, [
        [wait >= deadline, "POLL_WAIT is not below ANSWER_DEADLINE: one poll takes all the time there is. Lower it."],
        [wait >= usualIdleCutMs, "POLL_WAIT is a minute: most proxies cut an answer that takes so long. Lower it."],
        [
          budget >= deadline,
          "EXECUTION_RETRY_BUDGET is not below ANSWER_DEADLINE: a person hears of a failure only at the very end. Lower it.",
        ],
        [timeout < 1_000, "EXECUTION_TIMEOUT is below a second: a busy moment looks like a failure. Raise it."],
      ]),
  };
}
