import { duration, groupOf, oneOf, port, variable, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";

const days = 86_400_000;
const kept = duration({ min: days, max: 3_650 * days });

/** Where the zone listens, how it answers questions, what execution can read, and how long finished records are kept. */
export const questionVariables = {
  ...groupOf("Listen", {
    VERIFICATION_HOST: variable(z.string().describe("a host name or address"), { default: "127.0.0.1" })`
      Address to listen on. Set 0.0.0.0 to accept requests from other machines.`,
    VERIFICATION_PORT: variable(port(), { default: "3000" })`Port to listen on.`,
    VERIFICATION_VIEW_PORT: variable(port().optional())`
      Port of the read-only API for \`crosszone tasks show\` and \`crosszone audit\`. It takes execution's tokens. Off
      when unset.`,
  }),
  ...groupOf("Answers", {
    ANSWER_DEADLINE: variable(duration({ min: 1 }), { default: "11m" })`
      How long one question can take before verification cancels its task. Outages do not count. Keep it above
      TASK_DEADLINE of execution.`,
  }),
  ...groupOf("Capacity", {
    MAX_QUESTIONS: variable(wholeNumber({ min: 1 }), { default: "100" })`
      Questions that one process answers at the same time. Others wait. Keep it at or below MAX_RUNNING_TASKS of
      execution.`,
  }),
  ...groupOf("Files", {
    SLACK_TOKEN_FORWARDING: variable(oneOf(["handle", "real"]), { default: "handle" })`
      What execution gets as bot_token: a handle for the files of one task, or the real token. Avoid real.`,
  }),
  ...groupOf("Delete old data", {
    THREAD_RETENTION: variable(kept, { default: "30d" })`
      How long verification remembers a thread after its last message. In remembered threads, it answers without a
      mention.`,
  }),
};
