export { type Clock, systemClock } from "./clock.ts";
export { type Backoff, backoffMs, retry, type RetryOptions } from "./retry.ts";
export { atMost, noLonger, startTimeLimit, TimeLimitError, unlessAborted, withTimeout } from "./time-limits.ts";
