import { connectionConstants, constant, defineConfig } from "@crosszone/service-kit";

/** What no operator of the execution zone needs to change. Tests set other values in CROSSZONE_TUNING. */
export const executionConstants = defineConfig({
  ...connectionConstants,
  MAX_DEPTH: constant(64, "levels", "Arrays and objects inside each other in a request, which itself is the first."),
  SYNC_WINDOW_MS: constant(
    5_000,
    "ms",
    "Time that `execute_task` waits for the answer before it returns `accepted`. Most answers need no poll.",
  ),
  MAX_WAIT_MS: constant(
    25_000,
    "ms",
    "Longest long poll of `get_async_task_result`. Proxies and load balancers cut responses after 30 s or more.",
  ),
  TASK_LEASE_MS: constant(
    10_000,
    "ms",
    "Lease of a process on its tasks. Another process runs the tasks of a crashed one after this time.",
  ),
  TASK_ATTEMPTS: constant(2, "attempts", "Runs of a task whose process crashes. A third crash would be its own doing."),
  AGENT_CALL_ATTEMPTS: constant(3, "attempts", "Starts of an agent call whose process crashes, before it fails."),
  AGENT_CALL_RETENTION_MS: constant(
    86_400_000,
    "ms",
    "Time that a finished agent call is kept. A task that arrives again is not run again.",
  ),
  AGENT_THREADS: constant(
    2,
    "threads",
    "Worker threads of the built-in agent. Long computations do not block requests.",
  ),
  FILE_TIMEOUT_MS: constant(30_000, "ms", "Time to read one file from verification."),
  MAX_RUN_WATCHERS: constant(200, "streams", "Open streams of runs per process, from the API and the runs page."),
  KAFKA_CLIENT_ID: constant("crosszone-execution", "name", "Name of this zone in Kafka logs and quotas."),
  EXECUTION_HMAC_WINDOW_MS: constant(
    300_000,
    "ms",
    "Largest distance between the time of a signed request and this clock, as in Slack's own signatures.",
  ),
  EXECUTION_HMAC_NONCES: constant(
    1_000_000,
    "requests",
    "Signed requests that a process remembers against replay. More of them shorten the window.",
  ),
  EXECUTION_JWT_CLOCK_SKEW_MS: constant(30_000, "ms", "Allowed difference between the issuer's clock and this one."),
  EXECUTION_JWT_JWKS_MAX_AGE_MS: constant(600_000, "ms", "Age at which the issuer's keys are fetched again."),
  EXECUTION_JWT_JWKS_COOLDOWN_MS: constant(
    30_000,
    "ms",
    "Shortest time between two fetches of keys, whatever keys tokens name.",
  ),
});
