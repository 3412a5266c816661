import { debug, error, info, same, warn } from "./event-rows.ts";

/** A call that failed. Its kind and code are logged; of a `failure`, also the error and its stack. */
export const failed = { failure: "any", "kind?": "text" } as const;
export const failedCall = { ...failed, operation: "text" } as const;

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
export const slack = {
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
    ...failed,
    attempt: "number",
    advice: "text",
  }),
  slack_app_unknown: warn("The app id is unknown, so events of other apps cannot be refused", {
    ...failed,
    advice: "text",
  }),
  slack_request_refused: warn(
    "A request did not come from Slack; `reason` says why",
    { reason: "text", status: "number" },
    { counts: { slack_requests_refused_total: same } },
  ),
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
  event_not_stored: error("A Slack event could not be stored; Slack sends it again", failedCall, {
    counts: { slack_events_total: () => ({ verdict: "not_stored" }) },
  }),
  events_limited: warn(
    "Slack drops events of a workspace: the app gets more of them in an hour than Slack allows",
    { api_app_id: "text", since: "text" },
    { counts: { slack_events_total: () => ({ verdict: "limited" }) } },
  ),
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
    ...failed,
    "code?": "any",
  }),
  command_answer_lost: error("The answer of a slash command could not be delivered", failed, {
    counts: { slack_command_answers_lost_total: () => ({}) },
  }),
  interaction_refused: warn("A press is not for the app, unknown, repeated or late; `reason` says why", {
    reason: "text",
    "api_app_id?": "text",
  }),
  modal_not_opened: warn("Slack did not open a modal", failedCall),
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
  session_status_refused: warn("Slack refused the status of an assistant thread", { error: "any" }),
};
