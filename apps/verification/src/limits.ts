/** The variables and constants that bound the zone's work, by name. Times are in milliseconds, sizes in bytes. */
export type Limits = Readonly<
  Record<
    | "MESSAGES_PER_MINUTE"
    | "CHANNEL_RATE_FACTOR"
    | "TEAM_RATE_FACTOR"
    | "THREAD_MESSAGES_PER_HOUR"
    | "MAX_WAITING_PER_THREAD"
    | "MAX_QUESTION_CHARACTERS"
    | "MAX_FILES"
    | "MAX_FILE"
    | "MAX_FILE_READS"
    | "MAX_FILES_AT_ONCE"
    | "FILE_TIMEOUT_MS"
    | "SLACK_LOOKUP_TIMEOUT_MS"
    | "MAX_EVENT"
    | "MAX_DEPTH"
    | "MAX_QUESTIONS"
    | "ANSWER_DEADLINE"
    | "SHOW_WORK_AFTER_MS"
    | "DELIVERY_BUDGET_MS"
    | "EXECUTION_TIMEOUT_MS"
    | "EXECUTION_RETRY_BUDGET_MS"
    | "POLL_WAIT_MS"
    | "HEARTBEAT_MS"
    | "SWEEP_PACE_MS"
    | "MAX_SWEPT",
    number
  >
>;
