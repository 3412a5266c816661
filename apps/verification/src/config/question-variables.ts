import { z } from "zod";
import { defineConfig, duration, wholeNumber } from "@crosszone/service-kit";

/** How long a question may take, and how many are worked on. */
export const questionVariables = defineConfig({
  POLL_WAIT: {
    schema: duration({ max: 60_000 }),
    default: "20s",
    description: "How long the execution zone may hold back its answer while a task still works.",
    group: "Questions",
    formerly: "POLL_WAIT_MS",
  },
  ANSWER_DEADLINE: {
    schema: duration({ min: 1 }),
    default: "10m",
    description:
      "How long a question may be worked on; then the task is canceled. Time in which nobody could work on it does not count.",
    group: "Questions",
    formerly: "ANSWER_DEADLINE_MS",
  },
  MAX_QUESTIONS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description: "Questions that are worked on at the same time; more wait.",
    group: "Questions",
  },
  MAX_INBOX: {
    schema: wholeNumber({ min: 1 }),
    default: "10000",
    description: "Messages that may wait to be answered; Slack is asked to send more again later.",
    group: "Questions",
  },
  STREAM_ANSWERS: {
    schema: z.enum(["on", "off"]),
    default: "on",
    description:
      "Shows an answer as a stream of Slack's own while it is written, where Slack allows it. `off` changes a posted message instead.",
    group: "Questions",
  },
  STOP_GRACE: {
    schema: duration(),
    default: "10s",
    description: "How long running questions may go on after the process was told to stop.",
    group: "Questions",
    formerly: "STOP_GRACE_MS",
  },
});
