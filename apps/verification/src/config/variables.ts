import { byteSize, defineConfig, duration, list, logLevel, port, url, wholeNumber } from "@crosszone/service-kit";
import { defineTracingVariables, type TracingVariables } from "@crosszone/service-kit/tracing";
import { z } from "zod";

const days = 86_400_000;
const mediaType = z
  .string()
  .regex(/^[\w.+-]+\/([\w.+-]+|\*)$/, { error: "it is not a list of media types" })
  .transform((type) => type.toLowerCase())
  .describe("a media type such as text/csv, or text/* for all of a kind");

/** Where the zone listens. */
export const listeningVariables = defineConfig({
  VERIFICATION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on. Set 0.0.0.0 to accept requests from other machines.",
    group: "Listen",
  },
  VERIFICATION_PORT: { schema: port(), default: "3000", description: "Port to listen on.", group: "Listen" },
});

/** How long answers can take, and how many questions run at once. */
export const questionVariables = defineConfig({
  POLL_WAIT: {
    schema: duration({ max: 60_000 }),
    default: "20s",
    description:
      "How long one poll waits for an answer. Lower it if a proxy cuts requests earlier. Execution ends each poll after 25 s.",
    group: "AddressScope the execution zone",
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

/** Which files execution can read through verification, and with what token. */
export const fileVariables = defineConfig({
  SLACK_TOKEN_FORWARDING: {
    schema: z.enum(["handle", "real"]).describe("handle or real"),
    default: "handle",
    description: "What execution gets as bot_token: a handle for the files of one task, or the real token. Avoid real.",
    group: "Files",
  },
  SLACK_FILES_ORIGIN: {
    schema: url().optional(),
    description: "Origin of Slack's files. If unset, it follows SLACK_API_URL. Only needed for a local Slack.",
    example: "https://files.slack.com",
    group: "Files",
  },
  FILE_TYPES: {
    schema: list(mediaType),
    default: "text/*,application/json,application/pdf,image/png,image/jpeg,image/gif,image/webp",
    description: "Media types of files that execution can read. HTML is never allowed.",
    group: "Files",
  },
  MAX_FILE: {
    schema: byteSize({ min: 1 }),
    default: "10MB",
    description: "Largest file that a message can bring and that execution can read.",
    group: "Files",
  },
});

/** How long finished records are kept. */
export const retentionVariables = defineConfig({
  THREAD_RETENTION: {
    schema: duration({ min: days, max: 3_650 * days }),
    default: "90d",
    description:
      "How long verification remembers a thread after its last message. In remembered threads, it answers without a mention.",
    group: "Delete old data",
    formerly: "THREAD_RETENTION_DAYS",
  },
  PARKED_RETENTION: {
    schema: duration({ min: days, max: 3_650 * days }),
    default: "30d",
    description: "How long verification keeps a parked question for an operator.",
    group: "Delete old data",
    formerly: "PARKED_RETENTION_DAYS",
  },
});

/** What the zone logs. */
export const loggingVariables = defineConfig({
  LOG_LEVEL: {
    schema: logLevel(),
    default: "info",
    description: "Lowest level of log lines to write.",
    group: "Logs and traces",
  },
});

/** Where traces go, and how many. */
export const tracingVariables: TracingVariables = defineTracingVariables("crosszone-verification");
