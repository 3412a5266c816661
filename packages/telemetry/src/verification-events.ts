import type { EventDefinitions } from "./definitions.ts";

const slack = {
  warmed_up: {
    level: "info",
    means: "The process answered questions of its own before it was ready",
  },
  slack_identified: {
    level: "info",
    means: "Slack confirmed the token: which app, which workspace, HTTP or Socket Mode",
  },
  slack_not_identified: { level: "error", means: "Slack did not confirm the token; `advice` says what to do" },
  slack_app_unknown: { level: "warn", means: "The app id is unknown, so events of other apps cannot be refused" },
  slack_request_refused: { level: "warn", means: "A request did not come from Slack; `reason` says why" },
  slack_sdk_remark: { level: "info", means: "A message of Slack's SDK" },
  slack_called: { level: "debug", means: "A call of Slack's Web API ended; with `kind` it failed" },
  slack_request_answered: { level: "debug", means: "A request of Slack was answered" },
  slack_token_renewed: { level: "info", means: "A rotated token was renewed" },
  slack_token_not_renewed: {
    level: "error",
    means: "A token was not renewed; the workspace stops working when it expires",
  },
  install_open: { level: "info", means: "The address at which people install the app" },
  app_installed: { level: "info", means: "A workspace installed the app" },
  app_removed: { level: "info", means: "A workspace removed the app" },
  install_refused: { level: "warn", means: "An installation was refused" },
  event_accepted: { level: "info", means: "A Slack event was stored as a question" },
  event_duplicate: { level: "debug", means: "A Slack event had arrived before" },
  event_ignored: { level: "debug", means: "A Slack event is not for the app" },
  event_refused: { level: "warn", means: "A Slack event comes from a workspace or author that may not use the app" },
  event_not_stored: { level: "error", means: "A Slack event could not be stored; Slack sends it again" },
  stop_requested: { level: "info", means: "A person asked to stop a question" },
  command_refused: { level: "warn", means: "A slash command was refused" },
  command_ended: {
    level: "info",
    levelOf: ({ verdict }: { verdict: string }) => (["answered", "denied"].includes(verdict) ? "info" : "warn"),
    means: "A slash command was answered",
  },
  command_answer_not_taken: {
    level: "warn",
    means: "Slack refused the answer of a slash command; it is posted another way",
  },
  command_answer_lost: { level: "error", means: "The answer of a slash command could not be delivered" },
  session_status_refused: { level: "warn", means: "Slack refused the status of an assistant thread" },
} as const satisfies EventDefinitions;

const inbox = {
  inbox_failed: { level: "error", means: "The inbox's database does not respond" },
  inbox_back: { level: "info", means: "The inbox's database responds again" },
  lease_lost: { level: "warn", means: "Another process took the question over" },
  question_done: { level: "debug", means: "The work on a question is done" },
  question_waits: { level: "debug", means: "A question waits for something, and is looked at again" },
  question_retried: { level: "warn", means: "An attempt at a question failed; it is retried" },
  question_released: { level: "info", means: "The process stops and releases a question" },
  question_parked: { level: "error", means: "A question needs an operator" },
  notice_lost: { level: "warn", means: "A notice for a person could not be posted" },
} as const satisfies EventDefinitions;

const policy = {
  policy_in_force: { level: "info", means: "The policy that applies from now on" },
  policy_refused: { level: "error", means: "The policy file is invalid; the previous policy stays" },
  policy_passed: { level: "debug", means: "The rules that need only the event allow it; all rules run later" },
  policy_allowed: { level: "info", means: "The policy allowed a question" },
  policy_denied: {
    level: "info",
    levelOf: ({ last_verdict }: { last_verdict: string }) => (last_verdict === "failed" ? "warn" : "info"),
    means: "The policy denied a question; `warn` when a rule failed",
  },
} as const satisfies EventDefinitions;

const answers = {
  task_accepted: { level: "info", means: "The execution zone accepted the task" },
  task_retried: { level: "warn", means: "A call to the execution zone failed; it is retried" },
  task_done: { level: "info", means: "The task has an answer" },
  task_stopped: { level: "info", means: "The task was stopped by a person" },
  task_cancel_failed: { level: "warn", means: "A stopped task could not be canceled" },
  handle_not_revoked: { level: "warn", means: "A file handle was not revoked; it expires" },
  history_missing: { level: "warn", means: "The thread's earlier messages could not be read" },
  placeholder_missing: { level: "warn", means: "The reply that shows progress could not be posted" },
  stream_not_started: { level: "info", means: "A stream in Slack could not start; the answer is posted whole" },
  stream_ended: { level: "info", means: "A stream in Slack ended early; the answer is posted whole" },
  post_retried: { level: "warn", means: "A call to Slack failed; it is retried" },
  file_not_attached: { level: "warn", means: "A file of the answer could not be attached" },
  answer_posted: { level: "info", means: "The answer is in Slack" },
  answer_lost: { level: "error", means: "The answer could not be posted" },
  call_repeated: { level: "warn", means: "AgentCore refused a call for a moment; it is repeated" },
} as const satisfies EventDefinitions;

const files = {
  file_served: { level: "info", means: "The execution zone read a file" },
  file_refused: { level: "warn", means: "A file request was refused; `reason` says why" },
} as const satisfies EventDefinitions;

/** The log events of the verification zone, by subject. */
export const verificationSubjects = { Slack: slack, Inbox: inbox, Policy: policy, Answers: answers, Files: files };
