import { defineConfig, durationMs, wholeNumber } from "@crosszone/service-kit";

const group = "Inbox";

/** How what Slack sent is kept until it is answered. */
export const inboxVariables = defineConfig({
  INBOX_LEASE_MS: {
    schema: durationMs({ min: 1_000, max: 600_000 }),
    default: "10000",
    description:
      "How long a process has a message for itself without saying that it still works on it: after that long, another takes over what a process that died has left.",
    group,
  },
  INBOX_ATTEMPTS: {
    schema: wholeNumber({ min: 1, max: 100 }),
    default: "8",
    description:
      "How often a message is tried, with growing pauses in between, when its answer cannot be brought to Slack or its process dies; then it is parked.",
    group,
  },
  MAX_INBOX: {
    schema: wholeNumber({ min: 1 }),
    default: "10000",
    description: "Messages that may wait to be answered; Slack is asked to send more again later.",
    group,
  },
});
