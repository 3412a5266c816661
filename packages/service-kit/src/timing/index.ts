export { type Backoff, backoffMs, type Clock, retry, type RetryOptions, systemClock } from "./retry.ts";
export { atMost, noLonger, startTimeLimit, TimeLimitError, unlessAborted, withTimeout } from "./time-limits.ts";
