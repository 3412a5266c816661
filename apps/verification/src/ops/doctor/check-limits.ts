import { judgeFit, type Check } from "@crosszone/service-kit/doctor";

const reads = ["EXECUTION_TIMEOUT", "EXECUTION_RETRY_BUDGET", "POLL_WAIT", "ANSWER_DEADLINE"] as const;

/** This zone's time limits that depend on each other, milliseconds. */
export type LinkTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Most proxies and load balancers cut responses that take longer, milliseconds. */
const usualIdleCutMs = 60_000;

/** Checks that the time limits of this zone fit together. */
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
      judgeFit(`polls take ${wait} ms, answers up to ${deadline} ms`, [
        [wait >= deadline, "POLL_WAIT is not below ANSWER_DEADLINE: one poll can use up the deadline. Lower it."],
        [wait >= usualIdleCutMs, "POLL_WAIT is a minute or more: most proxies cut such slow responses. Lower it."],
        [
          budget >= deadline,
          "EXECUTION_RETRY_BUDGET is not below ANSWER_DEADLINE: a person learns of a failure only at the deadline. Lower it.",
        ],
        [timeout < 1_000, "EXECUTION_TIMEOUT is below a second: a short load peak looks like a failure. Raise it."],
      ]),
  };
}
