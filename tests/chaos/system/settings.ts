import { tune } from "@crosszone/testkit/tune";

/** Outages in a run last seconds, so leases and timeouts are short. */
const common = { LOG_LEVEL: "info" } as const;

/** Attempts of tasks, agent calls and questions. Kills come closer together than in any real operation. */
export const attempts = 100;
const begun = { TASK_ATTEMPTS: attempts, AGENT_CALL_ATTEMPTS: attempts };

export const verificationSettings: Readonly<Record<string, string>> = {
  ...common,
  ...tune({
    STOP_GRACE_MS: 1_500,
    MAX_DATABASE_CONNECTIONS: 6,
    INBOX_LEASE_MS: 3_000,
    INBOX_ATTEMPTS: attempts,
    DELIVERY_BUDGET_MS: 120_000,
    SLACK_LOOKUP_TIMEOUT_MS: 15_000,
    MAX_FILE_READS: 1_000,
    EXECUTION_TIMEOUT_MS: 4_000,
    EXECUTION_RETRY_BUDGET_MS: 60_000,
    POLL_WAIT_MS: 1_500,
    MAX_WAITING_PER_THREAD: 1_000,
    THREAD_MESSAGES_PER_HOUR: 100_000,
  }),
  VERIFICATION_PORT: "0",
  ANSWER_DEADLINE: "300s",
  MESSAGES_PER_MINUTE: "100000",
};

export const executionSettings: Readonly<Record<string, string>> = {
  ...common,
  EXECUTION_PORT: "0",
  // The reciting agent is loaded in the main thread only.
  ...tune({
    STOP_GRACE_MS: 1_500,
    MAX_DATABASE_CONNECTIONS: 6,
    AGENT_THREADS: 0,
    SYNC_WINDOW_MS: 1_000,
    TASK_LEASE_MS: 3_000,
    ...begun,
  }),
  MAX_RUNNING_TASKS: "1000",
  MAX_REQUESTS_PER_MINUTE: "0",
};
