import type { EventDefinitions } from "./definitions.ts";
import { executionSubjects } from "./execution-events.ts";
import { verificationSubjects } from "./verification-events.ts";

/** The log events of both zones. */
export const processEvents = {
  listening: { level: "info", means: "The zone is ready: address and modes" },
  config_warning: { level: "warn", means: "A setting works and is likely wrong" },
  file_not_usable: {
    level: "error",
    means: "A file named in the configuration is invalid; its previous content stays",
  },
  database_waited_for: { level: "warn", means: "The database is not up yet" },
  database_connection_lost: { level: "warn", means: "An idle connection to the database broke" },
  http_refused: { level: "warn", means: "The HTTP server refused a request" },
  http_failed: { level: "error", means: "A request failed with an internal error" },
  rpc_answered: { level: "info", means: "A JSON-RPC request has its response" },
  task_started: { level: "info", means: "A task started" },
  task_failed: { level: "error", means: "A task failed" },
  stop_started: { level: "info", means: "The process stops" },
  stop_step_failed: { level: "error", means: "A part did not stop" },
  stop_finished: { level: "info", means: "The process has stopped" },
  uncaught_exception: { level: "error", means: "A bug; the process stops" },
  unhandled_rejection: { level: "error", means: "A bug; the process stops" },
  rows_purged: { level: "info", means: "Rows were deleted after their retention" },
  purge_failed: { level: "warn", means: "Old rows could not be deleted; it is retried" },
  tracing_started: { level: "info", means: "Traces are exported" },
  trace_export_failed: { level: "warn", means: "Traces could not be exported" },
} as const satisfies EventDefinitions;

/** Every log event of the verification zone. */
export const verificationEvents = {
  ...processEvents,
  ...verificationSubjects.Slack,
  ...verificationSubjects.Inbox,
  ...verificationSubjects.Policy,
  ...verificationSubjects.Answers,
  ...verificationSubjects.Files,
};

/** Every log event of the execution zone. */
export const executionEvents = {
  ...processEvents,
  ...executionSubjects.Requests,
  ...executionSubjects.Tasks,
  ...executionSubjects.Models,
  ...executionSubjects.Agents,
  ...executionSubjects.Workflows,
  ...executionSubjects.Bus,
};

/** The name of a log event that both zones have. */
export type ProcessEvent = keyof typeof processEvents;
export type VerificationEvent = keyof typeof verificationEvents;
export type ExecutionEvent = keyof typeof executionEvents;
