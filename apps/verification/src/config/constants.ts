import { constant } from "@crosszone/service-kit";

/** What no operator of the verification zone needs to change. */
export const verificationConstants = {
  WARM_UP_MS: constant(1_500, "ms")`
    Time in which a process with NODE_ENV=production warms up before it is ready.`,
  WARM_UP_QUESTIONS: constant(300, "questions")`
    Questions of the warm-up. Their database, Slack and execution zone are inside the process.`,
  POLL_WAIT_MS: constant(20_000, "ms")`
    Time that one poll waits for an answer. Proxies and load balancers cut responses after 30 s or more.`,
  EXECUTION_TIMEOUT_MS: constant(30_000, "ms")`
    Time for execution to answer one call, in addition to a long poll.`,
  EXECUTION_RETRY_BUDGET_MS: constant(60_000, "ms")`
    Time for retries of one call to execution. A restart of execution takes less.`,
  MAX_EVENT: constant(1_048_576, "bytes")`Body of a request from Slack. Slack's own events are far smaller.`,
  MAX_INBOX: constant(10_000, "questions")`Questions that can wait. Beyond this, Slack has to send events again later.`,
  INBOX_LEASE_MS: constant(10_000, "ms")`
    Lease on a question. Another process takes over the questions of a crashed one after this time.`,
  INBOX_ATTEMPTS: constant(8, "attempts")`
    Attempts, with growing pauses, to answer a question before it is parked for an operator.`,
  PARKED_RETENTION_MS: constant(2_592_000_000, "ms")`Time that a parked question is kept for an operator: 30 days.`,
  DELIVERY_BUDGET_MS: constant(300_000, "ms")`
    Time for retries of one message to Slack. Longer outages count as attempts of the question.`,
  SHOW_WORK_AFTER_MS: constant(300, "ms")`
    A question that takes longer gets a placeholder, or a stream. The answer to a faster one is posted as it is.`,
  SLACK_LOOKUP_TIMEOUT_MS: constant(2_000, "ms")`
    Time for Slack to describe a person or a channel. After that, verification denies the question.`,
  THREAD_MESSAGES_PER_HOUR: constant(60, "messages")`
    Messages per thread and hour, including one burst of this size. It ends loops between two bots.`,
  CHANNEL_RATE_FACTOR: constant(3, "times")`Messages per channel and minute, as a multiple of MESSAGES_PER_MINUTE.`,
  TEAM_RATE_FACTOR: constant(15, "times")`Messages per workspace and minute, as a multiple of MESSAGES_PER_MINUTE.`,
  MAX_WAITING_PER_THREAD: constant(5, "questions")`
    Questions that can wait in one thread. Verification refuses the next one.`,
  MAX_QUESTION_CHARACTERS: constant(20_000, "characters")`
    Characters of one question. People attach longer texts as files.`,
  MAX_FILES: constant(10, "files")`Files of one message: as many as Slack itself accepts.`,
  MAX_FILE_READS: constant(40, "reads")`File reads for one question: each of its files and of its thread, twice.`,
  MAX_FILES_AT_ONCE: constant(20, "files")`Files that one process reads at the same time. Bounds its memory.`,
};
