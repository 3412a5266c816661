export {
  atMost,
  type Backoff,
  backoffMs,
  type Clock,
  noLonger,
  retry,
  type RetryOptions,
  startTimeLimit,
  systemClock,
  TimeLimitError,
  unlessAborted,
  withTimeout,
} from "./timing.ts";
