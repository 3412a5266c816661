import { duration, groupOf, nonEmpty, url, variable } from "@crosszone/service-kit";

/** How long tasks can take and are kept, how execution reads their files, and where workflow definitions are. */
export const taskVariables = {
  ...groupOf("Workflows", {
    WORKFLOWS_DIR: variable(nonEmpty("a folder").optional(), { example: "/etc/crosszone/workflows" })`
      Folder of workflow definitions in JSON or YAML, one per file. Execution reads it at start and adds new versions.`,
  }),
  ...groupOf("Tasks", {
    TASK_DEADLINE: variable(duration({ min: 1 }), { default: "10m" })`
      How long a task can take before it times out.`,
    TASK_RETENTION: variable(duration({ min: 1 }), { default: "1d" })`
      How long execution keeps a finished task with its answer. Keep it longer than any outage of verification.`,
  }),
  ...groupOf("Files", {
    VERIFICATION_URL: variable(url().optional(), { example: "https://crosszone.example.com" })`
      URL of the verification zone, for reading files. Without it, agents get no file contents. Another machine needs
      https:.`,
  }),
};
