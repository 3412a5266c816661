import { connectionConstants, constant, defineConfig } from "@crosszone/service-kit";

/** What no operator of the verification zone needs to change. Tests set other values in CROSSZONE_TUNING. */
export const verificationConstants = defineConfig({
  ...connectionConstants,
  MAX_EVENT: constant(1_048_576, "bytes", "Body of a request from Slack. Slack's own events are far smaller."),
  MAX_DEPTH: constant(64, "levels", "Arrays and objects inside each other in an event. Slack's own have about ten."),
  INBOX_LEASE_MS: constant(
    10_000,
    "ms",
    "Lease on a question. Another process takes over the questions of a crashed one after this time.",
  ),
  INBOX_ATTEMPTS: constant(
    8,
    "attempts",
    "Attempts, with growing pauses, to answer a question before it is parked for an operator.",
  ),
  DELIVERY_BUDGET_MS: constant(
    300_000,
    "ms",
    "Time for retries of one message to Slack. Longer outages count as attempts of the question.",
  ),
  SHOW_WORK_AFTER_MS: constant(
    300,
    "ms",
    "A question that takes longer gets a placeholder, or a stream. The answer to a faster one is posted as it is.",
  ),
  SLACK_LOOKUP_TIMEOUT_MS: constant(
    2_000,
    "ms",
    "Time for Slack to describe a person or a channel. After that, verification denies the question.",
  ),
  FILE_TIMEOUT_MS: constant(30_000, "ms", "Time to read one file from Slack."),
  MAX_FILE_READS: constant(20, "reads", "File reads for one question: each of its files, twice."),
  MAX_FILES_AT_ONCE: constant(20, "files", "Files that one process reads at the same time. Bounds its memory."),
});
