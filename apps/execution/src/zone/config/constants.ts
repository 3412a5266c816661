import { constant } from "@crosszone/service-kit";

/** What no operator of the execution zone needs to change. */
export const executionConstants = {
  MAX_BODY: constant(1_048_576, "bytes")`Body of a request. Files travel in requests of their own.`,
  MAX_REQUEST_BURST: constant(1_000, "requests")`
    Requests of one caller that can arrive at once. MAX_REQUESTS_PER_MINUTE limits them over time.`,
  SYNC_WINDOW_MS: constant(5_000, "ms")`
    Time that execute_task waits for the answer before it returns accepted. Most answers need no poll.`,
  MAX_WAIT_MS: constant(25_000, "ms")`
    Longest long poll of get_async_task_result. Proxies and load balancers cut responses after 30 s or more.`,
  TASK_LEASE_MS: constant(10_000, "ms")`
    Lease of a process on its tasks. Another process runs the tasks of a crashed one after this time.`,
  TASK_ATTEMPTS: constant(2, "attempts")`Runs of a task whose process crashes. A third crash would be its own doing.`,
  AGENT_CALL_ATTEMPTS: constant(3, "attempts")`Starts of an agent call whose process crashes, before it fails.`,
  AGENT_CALL_RETENTION_MS: constant(86_400_000, "ms")`
    Time that a finished agent call is kept. A task that arrives again is not run again.`,
  MAX_AGENT_RESPONSE: constant(10_485_760, "bytes")`Response of an agent or an MCP server.`,
  MODEL_SILENCE_MS: constant(60_000, "ms")`Time in which a model call sends nothing before the assistant retries it.`,
  MAX_MODEL_STEPS: constant(8, "calls")`Model calls for one answer. Between them, the model uses tools.`,
  MAX_MODEL_OUTPUT_TOKENS: constant(4_096, "tokens")`Tokens that one model call can write.`,
  WORKFLOW_DEADLINE_MS: constant(3_600_000, "ms")`
    Time of a run if its definition sets no deadline. In Slack, TASK_DEADLINE ends a run earlier.`,
  WORKFLOW_STEP_TIMEOUT_MS: constant(300_000, "ms")`
    Time of an agent for a step that sets no timeout.`,
  WORKFLOW_RUN_RETENTION_MS: constant(604_800_000, "ms")`Time that a finished run is kept: 7 days.`,
  MAX_RUN_TASKS: constant(50, "tasks")`
    Tasks of one run that agents process at the same time. MAX_RUNNING_TASKS limits those of a process.`,
  MAX_RUN_SIZE: constant(20_971_520, "bytes")`
    Size of one run as JSON: its input, and inputs, outputs and errors of its steps.`,
  MAX_RUN_WATCHERS: constant(200, "streams")`Open streams of runs per process, from the API and the runs page.`,
  KAFKA_CLIENT_ID: constant("crosszone-execution", "name")`Name of this zone in Kafka logs and quotas.`,
  KAFKA_PARTITIONS: constant(12, "partitions")`
    Partitions of created topics, so the processes that can consume one topic in parallel.`,
  EXECUTION_HMAC_WINDOW_MS: constant(300_000, "ms")`
    Largest distance between the time of a signed request and this clock, as in Slack's own signatures.`,
  EXECUTION_HMAC_NONCES: constant(1_000_000, "requests")`
    Signed requests that a process remembers against replay. More of them shorten the window.`,
  EXECUTION_JWT_CLOCK_SKEW_MS: constant(30_000, "ms")`Allowed difference between the issuer's clock and this one.`,
  EXECUTION_JWT_JWKS_MAX_AGE_MS: constant(600_000, "ms")`Age at which the issuer's keys are fetched again.`,
  EXECUTION_JWT_JWKS_COOLDOWN_MS: constant(30_000, "ms")`
    Shortest time between two fetches of keys, whatever keys tokens name.`,
};
