import { debug, error, info, quietPoll, same, timed, warn } from "./event-rows.ts";
import { failed, failedCall, slack } from "./slack-events.ts";

/** How one attempt at a record of the inbox ended. */
const attempt = {
  kind_of_record: "text",
  attempt: "number",
  outcome: "text",
  "failure?": "any",
  "wait_ms?": "number",
  "why?": "text",
  "operation?": "text",
} as const;

const byOutcome = {
  counts: {
    inbox_attempts_total: ({ kind_of_record: kind, outcome }: { kind_of_record: string; outcome: string }) => ({
      kind,
      outcome,
    }),
  },
};

const inbox = {
  inbox_failed: error("The inbox's database does not respond", { "failure?": "any", "cause?": "any" }),
  inbox_back: info("The inbox's database responds again", { duration_ms: "number" }),
  lease_lost: warn("Another process took the question over", attempt, byOutcome),
  question_done: debug("The work on a question is done", attempt, byOutcome),
  question_waits: debug("A question waits for something, and is looked at again", attempt, byOutcome),
  question_retried: warn("An attempt at a question failed; it is retried", attempt, byOutcome),
  question_released: info("The process stops and releases a question", attempt, byOutcome),
  question_parked: error("A question needs an operator", attempt, byOutcome),
  notice_lost: warn("A notice for a person could not be posted", failedCall),
};

const judged = {
  kind_of_record: "text",
  stage: "text",
  duration_ms: "number",
  last_verdict: "text",
  rules: "any",
  teams: "list",
  author_teams: "list",
  "rule?": "text",
  "reason?": "text",
  "retry_after_ms?": "number",
  "failure?": "any",
} as const;

const byRule = {
  times: { policy_duration_seconds: same },
  adds: {
    // `rules` has how long each rule took, in order. Those before the last one allowed the message.
    policy_verdicts_total: ({
      rules,
      last_verdict: last,
    }: {
      readonly rules: unknown;
      readonly last_verdict: string;
    }) =>
      Object.keys(rules as object).map(
        (rule, at, all) => [{ rule, verdict: at === all.length - 1 ? last : "allowed" }, 1] as const,
      ),
  },
};

const policy = {
  policy_in_force: info("The policy that applies from now on, in words", {
    "teams?": "text",
    "channels?": "text",
    "users?": "text",
    "channel_agents?": "text",
  }),
  policy_refused: error("The policy file is invalid; the previous policy stays", { problems: "list", still: "text" }),
  policy_passed: debug("The rules that need only the event allow it; all rules run later", judged, byRule),
  policy_allowed: info("The policy allowed a question", judged, byRule),
  policy_denied: info("The policy denied a question; `warn` when a rule failed", judged, {
    ...byRule,
    levelOf: ({ last_verdict: last }) => (last === "failed" ? "warn" : "info"),
  }),
};

const retried = { error: "any", attempt: "number", wait_ms: "number" } as const;

const answers = {
  rpc_answered: info(
    "A call of the execution zone ended",
    { ...timed, operation: "text", outcome: "text", "code?": "any" },
    { requests: { zone_rpc: ({ operation: method, outcome }) => ({ method, outcome }) }, levelOf: quietPoll },
  ),
  task_started: info("A task started", { files: "number" }),
  task_accepted: info("The execution zone accepted the task"),
  task_retried: warn("A call to the execution zone failed; it is retried", retried),
  task_done: info("The task has an answer", timed, { requests: { answer: () => ({ outcome: "done" }) } }),
  task_stopped: info("The task was stopped by a person", timed, {
    requests: { answer: () => ({ outcome: "stopped" }) },
  }),
  task_failed: error(
    "A task failed",
    { ...failedCall, ...timed },
    {
      requests: { answer: ({ kind: outcome = "internal" }) => ({ outcome }) },
    },
  ),
  task_cancel_failed: warn("A stopped task could not be canceled", failedCall),
  handle_not_revoked: warn("A file handle was not revoked; it expires", failedCall),
  task_paused: info("The task waits for people", timed),
  input_not_shown: warn("A message about an input request could not be posted", { ...failedCall, input_id: "text" }),
  input_group_unread: warn("The members of a user group could not be read, so they cannot decide", failedCall),
  input_feed_failed: warn("The input requests that have changed could not be read; it is repeated", failedCall),
  history_missing: warn("The thread's earlier messages could not be read", failedCall),
  placeholder_missing: warn("The reply that shows progress could not be posted", failedCall),
  stream_not_started: info("A stream in Slack could not start; the answer is posted whole", failedCall),
  stream_ended: info("A stream in Slack ended early; the answer is posted whole", { ...failedCall, next: "text" }),
  post_retried: warn("A call to Slack failed; it is retried", retried),
  file_not_attached: warn("A file of the answer could not be attached", failedCall),
  answer_posted: info("The answer is in Slack", { ...timed, parts: "number" }),
  answer_refused: warn("Slack refused the answer in one form; `next` is tried", { ...failedCall, next: "text" }),
  answer_redirected: warn("Slack refused the answer in its place; it is a direct message to its requester", failedCall),
  thread_gone: info("The message that was answered is gone; what landed outside its thread was deleted", failedCall),
  answer_lost: error("The answer could not be posted", attempt, byOutcome),
  call_repeated: warn("AgentCore refused a call for a moment; it is repeated", {
    ...failed,
    attempt: "number",
    wait_ms: "number",
  }),
};

const fileRequest = { ...timed, "bytes?": "number", "file_id?": "text" } as const;

const files = {
  file_served: info("The execution zone read a file", fileRequest, {
    requests: { file: () => ({ outcome: "served" }) },
  }),
  file_refused: warn(
    "A file request was refused; `reason` says why",
    { ...fileRequest, reason: "text", "cause?": "any" },
    { requests: { file: ({ reason: outcome }) => ({ outcome }) } },
  ),
};

/** The log events of the verification zone, by subject. */
export const verificationSubjects = { Slack: slack, Inbox: inbox, Policy: policy, Answers: answers, Files: files };
