import { type MetricDefinition, metricsOf, pageAlert, ticket } from "./definitions.ts";

const slack = metricsOf("verification", "Verification: Slack");
const answers = metricsOf("verification", "Verification: answers");
const link = metricsOf("verification", "Zone link");

export const verificationMetrics = {
  slack_events_total: slack.counter("Slack events by verdict: accepted, duplicate, ignored, refused", {
    labels: { verdict: ["@event_verdict", "not_stored", "limited"] },
  }),
  swept_messages_total: slack.counter("Messages for the app found in Slack's history: asked, or missed", {
    labels: { outcome: ["asked", "missed"] },
    alert: ticket("MessagesMissed", {
      expr: 'increase(swept_messages_total{outcome="missed"}[30m]) > 0',
      for: "0m",
      summary: "Messages from an outage are too late to answer; they are listed as missed",
      runbook: "operations.md#missed-messages",
    }),
  }),
  slack_commands_total: slack.counter("Slash commands by verdict: answered, denied, failed, refused", {
    labels: { verdict: ["answered", "denied", "failed", "not_installed", "wrong_app", "busy"] },
  }),
  slack_command_answers_lost_total: slack.counter(
    "Answers to slash commands that could not be delivered; must stay 0",
    {
      alert: ticket("CommandAnswersLost", {
        expr: "increase(slack_command_answers_lost_total[15m]) > 0",
        for: "0m",
        summary: "A slash command got no answer",
        runbook: "operations.md#at-3-am",
      }),
    },
  ),
  slack_installs_total: slack.counter("Installations by OAuth, by outcome: installed, removed, or why not", {
    labels: { outcome: ["installed", "removed", "@install_refusal"] },
  }),
  slack_requests_refused_total: slack.counter("Requests that did not come from Slack, by reason", {
    labels: { reason: ["@slack_refusal"] },
  }),
  slack_ack_duration_seconds: slack.histogram(
    "Time to acknowledge an event; must stay far below Slack's three seconds",
    {
      alert: pageAlert("SlackAcknowledgedLate", {
        expr: "histogram_quantile(0.99, sum by (le) (rate(slack_ack_duration_seconds_bucket[5m]))) > 1",
        for: "5m",
        summary: "Slack's events are acknowledged late; Slack sends them again after three seconds",
        runbook: "operations.md#databases",
      }),
    },
  ),
  policy_verdicts_total: answers.counter("Verdicts by rule: allowed, denied, failed", {
    labels: { rule: ["@any"], verdict: ["allowed", "denied", "failed"] },
  }),
  policy_duration_seconds: answers.histogram("Time to evaluate the policy, including lookups", {
    labels: { stage: ["intake", "flow", "files", "command"] },
  }),
  answer_requests_total: answers.counter("Answered questions by outcome", {
    labels: { outcome: ["done", "stopped", "@error_kind"] },
  }),
  answer_duration_seconds: answers.histogram("Time from a question's arrival to its answer"),
  questions_in_work: answers.gauge("Questions being answered now", { perProcess: true }),
  inbox_questions: answers.gauge(
    "Questions that wait, are being answered, or are parked; parked above 0 needs an operator",
    {
      labels: { state: ["waiting", "in_work", "parked"] },
      alert: pageAlert("QuestionsParked", {
        expr: 'max(inbox_questions{state="parked"}) > 0',
        for: "1m",
        summary: "A person waits for an answer that needs an operator",
        runbook: "operations.md#at-3-am",
      }),
    },
  ),
  inbox_oldest_age_seconds: answers.gauge("Age of the oldest unanswered question that is not parked", {
    alert: pageAlert("QuestionUnanswered", {
      expr: "max(inbox_oldest_age_seconds) > 600",
      for: "1m",
      summary: "A question has waited for longer than ten minutes, the limit for an answer",
      runbook: "operations.md#at-3-am",
    }),
  }),
  inbox_attempts_total: answers.counter(
    "Attempts at questions by outcome; lost means that a lease expired, waiting that a failed run was not retried yet",
    {
      labels: {
        kind: "ask stop turned_away missed notice failed_run input paused_task press home fire".split(" "),
        outcome: ["@record_outcome"],
      },
      alert: ticket("QuestionLeasesLost", {
        expr: 'sum(increase(inbox_attempts_total{outcome="lost"}[30m])) > 3',
        for: "0m",
        summary: "Processes of verification stall for longer than a lease, or a clock jumps",
        runbook: "operations.md#databases",
      }),
    },
  ),
  slack_api_requests_total: slack.counter("Calls to Slack's Web API by method and outcome", {
    labels: { method: ["@slack_method"], outcome: ["success", "@error_kind"] },
  }),
  slack_api_duration_seconds: slack.histogram("Duration of calls to Slack's Web API by method", {
    labels: { method: ["@slack_method"] },
  }),
  zone_rpc_requests_total: link.counter("Calls to the execution zone by method and outcome", {
    labels: { method: ["@zone_method"], outcome: ["success", "@error_kind"] },
  }),
  zone_rpc_duration_seconds: link.histogram("Duration of calls to the execution zone by method", {
    labels: { method: ["@zone_method"] },
  }),
  messages_unreported: link.gauge("Messages whose last change execution does not know yet"),
  file_requests_total: link.counter("File requests of the execution zone: served, or why refused", {
    labels: { outcome: ["served", "gone", "@file_refusal"] },
  }),
  file_duration_seconds: link.histogram("Duration of file requests"),
} satisfies Record<string, MetricDefinition>;
