import { debug, error, info, quietPoll, same, timed, warn } from "./event-rows.ts";

/** A call that failed. Its kind and code are logged; of a `failure`, also the error and its stack. */
const failureFields = { failure: "any", "kind?": "text" } as const;
const failedSlackCall = { ...failureFields, operation: "text" } as const;

const delivered = {
  verdict: "text",
  event_id: "text",
  event_type: "text",
  retry: "number",
  "api_app_id?": "text",
} as const;

const byVerdict = {
  counts: { slack_events_total: same },
};

/** The log events of Slack. */
const slack = {
  warmed_up: info("The process answered questions of its own before it was ready", {
    "questions?": "number",
    "duration_ms?": "number",
    "cause?": "any",
  }),
  slack_identified: info("Slack confirmed the token: which app, which workspace, HTTP or Socket Mode", {
    mode: "text",
    bot_id: "text",
    bot_user_id: "text",
    "enterprise_id?": "text",
  }),
  slack_not_identified: error("Slack did not confirm the token; `advice` says what to do", {
    ...failureFields,
    attempt: "number",
    advice: "text",
  }),
  slack_app_unknown: warn("The app id is unknown, so events of other apps cannot be refused", {
    ...failureFields,
    advice: "text",
  }),
  slack_request_refused: warn(
    "A request did not come from Slack; `reason` says why",
    { reason: "text", status: "number" },
    { counts: { slack_requests_refused_total: same } },
  ),
  slack_frame_left_out: warn("A frame of the socket is not what Slack documents; `reason` says what is missing", {
    reason: "text",
  }),
  slack_sdk_remark: info("A message of Slack's SDK", { severity: "text", text: "text" }),
  slack_called: debug(
    "A call of Slack's Web API ended; with `kind` it failed",
    { operation: "text", duration_ms: "number", "error?": "any", "kind?": "text" },
    { requests: { slack_api: ({ operation: method, kind: outcome = "success" }) => ({ method, outcome }) } },
  ),
  slack_request_answered: debug(
    "A request of Slack was answered",
    { duration_ms: "number" },
    { times: { slack_ack_duration_seconds: () => ({}) } },
  ),
  slack_token_renewed: info("A rotated token was renewed", { "installation?": "text" }),
  slack_token_not_renewed: error("A token was not renewed; the workspace stops working when it expires", {
    "installation?": "text",
    "why?": "text",
    "failure?": "any",
  }),
  install_open: info("The address at which people install the app", { url: "text", mode: "text" }),
  app_installed: info(
    "A workspace installed the app",
    { installation: "text", "enterprise_id?": "any", "installed_by?": "any" },
    { counts: { slack_installs_total: () => ({ outcome: "installed" }) } },
  ),
  app_removed: info(
    "A workspace removed the app",
    { installation: "text" },
    { counts: { slack_installs_total: () => ({ outcome: "removed" }) } },
  ),
  install_refused: warn(
    "An installation was refused",
    { reason: "text", "failure?": "any" },
    { counts: { slack_installs_total: ({ reason: outcome }) => ({ outcome }) } },
  ),
  event_accepted: info("A Slack event was stored as a question", delivered, byVerdict),
  event_duplicate: debug("A Slack event had arrived before", delivered, byVerdict),
  event_ignored: debug("A Slack event is not for the app", delivered, byVerdict),
  event_refused: warn("A Slack event comes from a workspace or author that may not use the app", delivered, byVerdict),
  event_not_stored: error("A Slack event could not be stored; Slack sends it again", failedSlackCall, {
    counts: { slack_events_total: () => ({ verdict: "not_stored" }) },
  }),
  events_limited: warn(
    "Slack drops events of a workspace: the app gets more of them in an hour than Slack allows",
    { api_app_id: "text", since: "text" },
    { counts: { slack_events_total: () => ({ verdict: "limited" }) } },
  ),
  history_swept: info("What was written while events did not arrive was read back", {
    since: "text",
    asked: "number",
    missed: "number",
    refused: "number",
  }),
  message_swept: info(
    "A message for the app was found in Slack's history; `missed` means that it is too late to answer it",
    { outcome: "text" },
    { counts: { swept_messages_total: same } },
  ),
  history_refused: warn("Slack does not show the app a conversation, or a type of them", failedSlackCall),
  sweep_failed: warn("Slack's history could not be read back; it is tried again", failedSlackCall),
  stop_requested: info("A person asked to stop a question", { stopped: "number" }),
  command_refused: warn(
    "A slash command was refused",
    { reason: "text" },
    { counts: { slack_commands_total: ({ reason: verdict }) => ({ verdict }) } },
  ),
  command_ended: info(
    "A slash command was answered; `warn` unless it was answered or denied",
    { verdict: "text", duration_ms: "number", "failure?": "any" },
    {
      levelOf: ({ verdict }) => (["answered", "denied"].includes(verdict) ? "info" : "warn"),
      counts: { slack_commands_total: same },
    },
  ),
  command_answer_not_taken: warn("Slack refused the answer of a slash command; it is posted another way", {
    ...failureFields,
    "code?": "any",
  }),
  command_answer_lost: error("The answer of a slash command could not be delivered", failureFields, {
    counts: { slack_command_answers_lost_total: () => ({}) },
  }),
  interaction_refused: warn("A press is not for the app, unknown, repeated or late; `reason` says why", {
    reason: "text",
    "api_app_id?": "text",
  }),
  modal_not_opened: warn("Slack did not open a modal", failedSlackCall),
  input_pressed: info("A person answered an input request; `outcome` says what became of it", {
    input_id: "text",
    outcome: "text",
    "failure?": "any",
  }),
  answer_pressed: info("A person pressed something under an answer; `outcome` says what became of it", {
    reference: "text",
    verb: "text",
    outcome: "text",
    "failure?": "any",
  }),
  home_not_published: warn("Slack did not take the Home tab of a person; it shows what it had", failedSlackCall),
  session_status_refused: warn("Slack refused the status of an assistant thread", { error: "any" }),
};

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
  notice_lost: warn("A notice for a person could not be posted", failedSlackCall),
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
    { ...failedSlackCall, ...timed },
    {
      requests: { answer: ({ kind: outcome = "internal" }) => ({ outcome }) },
    },
  ),
  task_cancel_failed: warn("A stopped task could not be canceled", failedSlackCall),
  handle_not_revoked: warn("A file handle was not revoked, or not kept for a paused task; it expires", failedSlackCall),
  task_paused: info("The task waits for people", timed),
  input_not_shown: warn("A message about an input request could not be posted", {
    ...failedSlackCall,
    input_id: "text",
  }),
  input_unreachable: warn("Nobody who can decide an input request can be reached, so it is denied", {
    input_id: "text",
  }),
  input_group_unread: warn("The members of a user group could not be read, so they cannot decide", failedSlackCall),
  input_feed_failed: warn("The input requests that have changed could not be read; it is repeated", failedSlackCall),
  fire_feed_failed: warn("The fires that are due could not be read; it is repeated", failedSlackCall),
  fire_not_asked: warn("A fire can't be a question: its owner left, or `reason` says why", {
    outcome: "text",
    "reason?": "text",
  }),
  messages_not_reported: warn(
    "What became of messages could not be reported to execution for half a minute; it is repeated",
    failedSlackCall,
  ),
  history_missing: warn("The thread's earlier messages could not be read", failedSlackCall),
  placeholder_missing: warn("The reply that shows progress could not be posted", failedSlackCall),
  stream_not_started: info("A stream in Slack could not start; the answer is posted whole", failedSlackCall),
  stream_ended: info("A stream in Slack ended early; the answer is posted whole", { ...failedSlackCall, next: "text" }),
  post_retried: warn("A call to Slack failed; it is retried", retried),
  file_not_attached: warn("A file of the answer could not be attached", failedSlackCall),
  answer_posted: info("The answer is in Slack", { ...timed, parts: "number" }),
  answer_refused: warn("Slack refused the answer in one form; `next` is tried", { ...failedSlackCall, next: "text" }),
  answer_redirected: warn(
    "Slack refused the answer in its place; it is a direct message to its requester",
    failedSlackCall,
  ),
  thread_gone: info(
    "The message that was answered is gone; what landed outside its thread was deleted",
    failedSlackCall,
  ),
  answer_lost: error("The answer could not be posted", attempt, byOutcome),
  call_repeated: warn("AgentCore refused a call for a moment; it is repeated", {
    ...failureFields,
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
