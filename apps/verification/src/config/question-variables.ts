import { z } from "zod";
import { defineConfig, duration, wholeNumber } from "@crosszone/service-kit";

/** How long answers can take, and how many questions run at once. */
export const questionVariables = defineConfig({
  POLL_WAIT: {
    schema: duration({ max: 60_000 }),
    default: "20s",
    description:
      "How long one poll waits for an answer. Lower it if a proxy cuts requests earlier. Execution ends each poll after 25 s.",
    group: "Reach the execution zone",
    formerly: "POLL_WAIT_MS",
  },
  ANSWER_DEADLINE: {
    schema: duration({ min: 1 }),
    default: "10m",
    description:
      "How long one question can take before verification cancels its task. Outages do not count. Keep it above TASK_DEADLINE of execution.",
    group: "Answers",
    formerly: "ANSWER_DEADLINE_MS",
  },
  MAX_QUESTIONS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description:
      "Questions that one process answers at the same time. Others wait. Keep it at or below MAX_RUNNING_TASKS of execution.",
    group: "Capacity",
  },
  MAX_INBOX: {
    schema: wholeNumber({ min: 1 }),
    default: "10000",
    description: "Questions that can wait. Beyond this, Slack has to send events again later.",
    group: "Capacity",
  },
  STREAM_ANSWERS: {
    schema: z.enum(["on", "off"]),
    default: "on",
    description:
      "Whether answers use Slack's own streaming, where Slack allows it. off edits a posted message instead.",
    group: "Answers",
  },
  STOP_GRACE: {
    schema: duration(),
    default: "10s",
    description: "How long running questions can continue after a stop signal. Another process then takes them over.",
    group: "Answers",
    formerly: "STOP_GRACE_MS",
  },
});
