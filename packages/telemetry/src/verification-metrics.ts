import { metricsOf, type MetricDefinition } from "./definitions.ts";

const { counter, gauge, histogram } = metricsOf("verification");

export const verificationMetrics = {
  slack_events_total: counter("Slack events by verdict: accepted, duplicate, ignored, refused"),
  slack_commands_total: counter("Slash commands by verdict: answered, denied, failed, refused"),
  slack_command_answers_lost_total: counter("Answers to slash commands that could not be delivered; must stay 0"),
  slack_installs_total: counter("Installations by OAuth, by outcome: installed, removed, or why not"),
  slack_requests_refused_total: counter("Requests that did not come from Slack, by reason"),
  slack_ack_duration_seconds: histogram("Time to acknowledge an event; must stay far below Slack's three seconds"),
  policy_verdicts_total: counter("Verdicts by rule: allowed, denied, failed"),
  policy_duration_seconds: histogram("Time to evaluate the policy, including lookups"),
  answer_requests_total: counter("Answered questions by outcome"),
  answer_duration_seconds: histogram("Time from a question's arrival to its answer"),
  questions_in_work: gauge("Questions being answered now"),
  inbox_questions: gauge("Questions that wait, are being answered, or are parked; parked above 0 needs an operator"),
  inbox_oldest_age_seconds: gauge("Age of the oldest unanswered question that is not parked"),
  inbox_attempts_total: counter(
    "Attempts at questions by outcome; lost means that a lease expired, waiting that a failed run was not retried yet",
  ),
  slack_api_requests_total: counter("Calls to Slack's Web API by method and outcome"),
  slack_api_duration_seconds: histogram("Duration of calls to Slack's Web API by method"),
  zone_rpc_requests_total: counter("Calls to the execution zone by method and outcome"),
  zone_rpc_duration_seconds: histogram("Duration of calls to the execution zone by method"),
  file_requests_total: counter("File requests of the execution zone: served, or why refused"),
  file_duration_seconds: histogram("Duration of file requests"),
} satisfies Record<string, MetricDefinition>;
