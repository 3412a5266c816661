import { metricsOf, type MetricDefinition, type MetricType } from "./definitions.ts";

const verification = metricsOf("verification");
const execution = metricsOf("execution");
const both = metricsOf("both");

/** Buckets for translation times, which are microseconds: from ten of them to a quarter of a second. In seconds. */
const translationBuckets = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25,
];

export const verificationMetrics = {
  slack_events_total: verification.counter("Slack events by verdict: accepted, duplicate, ignored, refused"),
  slack_commands_total: verification.counter("Slash commands by verdict: answered, denied, failed, refused"),
  slack_command_answers_lost_total: verification.counter(
    "Answers to slash commands that could not be delivered; must stay 0",
  ),
  slack_installs_total: verification.counter("Installations by OAuth, by outcome: installed, removed, or why not"),
  slack_requests_refused_total: verification.counter("Requests that did not come from Slack, by reason"),
  slack_ack_duration_seconds: verification.histogram(
    "Time to acknowledge an event; must stay far below Slack's three seconds",
  ),
  policy_verdicts_total: verification.counter("Verdicts by rule: allowed, denied, failed"),
  policy_duration_seconds: verification.histogram("Time to evaluate the policy, including lookups"),
  answer_requests_total: verification.counter("Answered questions by outcome"),
  answer_duration_seconds: verification.histogram("Time from a question's arrival to its answer"),
  questions_in_work: verification.gauge("Questions being answered now"),
  inbox_questions: verification.gauge(
    "Questions that wait, are being answered, or are parked; parked above 0 needs an operator",
  ),
  inbox_oldest_age_seconds: verification.gauge("Age of the oldest unanswered question that is not parked"),
  inbox_attempts_total: verification.counter(
    "Attempts at questions by outcome; lost means that a lease expired, waiting that a failed run was not retried yet",
  ),
  slack_api_requests_total: verification.counter("Calls to Slack's Web API by method and outcome"),
  slack_api_duration_seconds: verification.histogram("Duration of calls to Slack's Web API by method"),
  zone_rpc_requests_total: verification.counter("Calls to the execution zone by method and outcome"),
  zone_rpc_duration_seconds: verification.histogram("Duration of calls to the execution zone by method"),
  file_requests_total: verification.counter("File requests of the execution zone: served, or why refused"),
  file_duration_seconds: verification.histogram("Duration of file requests"),
} satisfies Record<string, MetricDefinition>;

export const executionMetrics = {
  rpc_requests_total: execution.counter("JSON-RPC requests by method and outcome"),
  rpc_duration_seconds: execution.histogram("Duration of JSON-RPC requests by method"),
  task_requests_total: execution.counter("Ended tasks by agent and outcome"),
  task_duration_seconds: execution.histogram("Duration of tasks by agent"),
  tasks_running: execution.gauge("Tasks running now"),
  task_oldest_open_seconds: execution.gauge(
    "Age of the oldest open task; at most one or two leases above TASK_DEADLINE",
  ),
  tasks_retried_total: execution.counter("Tasks that ran again because their process crashed or lost its connection"),
  task_leases_lost_total: execution.counter("Tasks that another process took over while this one still ran them"),
  task_store_failures_total: execution.counter("Failed operations on stored tasks, by operation; each is retried"),
  task_commit_duration_seconds: execution.histogram("Time to write a group of tasks and agent calls"),
  task_writes_total: execution.counter("Tasks and agent calls written in all these groups, including repeated ones"),
  task_call_failures_total: execution.counter(
    "Failed attempts to store, find or cancel a task's agent call, by operation; each is retried",
  ),
  task_run_failures_total: execution.counter(
    "Failed attempts to start, read or cancel a task's workflow run, by operation; each is retried",
  ),
  model_calls_total: execution.counter(
    "Calls of language models, by model and by whether the provider counted their tokens",
  ),
  model_tokens_total: execution.counter("Tokens of these calls: input, cached input (also counted as input), output"),
  model_cost_dollars_total: execution.counter("Cost of these calls in US dollars, for models with a known price"),
  model_calls_refused_total: execution.counter(
    "Model calls refused because a budget had no room, by scope of the budget",
  ),
  bus_queue_messages: execution.gauge("With Kafka: waiting messages by channel and group; if they grow, add processes"),
  bus_queue_oldest_age_seconds: execution.gauge("With Kafka: age of the oldest waiting message"),
  bus_deliveries_total: execution.counter("With Kafka: consumed messages by outcome; dead_letter needs an operator"),
  bus_handling_duration_seconds: execution.histogram("With Kafka: time to handle a message"),
  bus_messages_refused_total: execution.counter("With Kafka: messages that the bridge could not use, by channel"),
  agent_calls_waiting: execution.gauge("Agent calls that no process has started, across all processes"),
  agent_call_oldest_waiting_seconds: execution.gauge("Age of the oldest of these calls"),
  bridge_call_requests_total: execution.counter("Agent calls by agent and outcome, from storage to a durable end"),
  bridge_call_duration_seconds: execution.histogram(
    "Duration of agent calls from storage to a durable end, including the wait",
  ),
  agent_call_requests_total: execution.counter("Agent calls by agent and outcome, from the first request to the last"),
  agent_call_duration_seconds: execution.histogram("Duration of agent calls by agent, including retries and polls"),
  agent_calls_running: execution.gauge("Agent calls running in this process, by agent"),
  agent_call_retries_total: execution.counter("Failed requests to agents that were retried, by kind of error"),
  agent_circuit_changes_total: execution.counter("State changes of agents' circuits, by new state"),
  agent_circuit_state: execution.gauge("State of an agent's circuit: 0 closed, 1 half open, 2 open"),
  agent_protocol_requests_total: execution.counter(
    "Requests to agents by protocol and agent, including retries and polls",
  ),
  protocol_translation_duration_seconds: execution.histogram(
    "Time to encode a request or decode a response",
    translationBuckets,
  ),
  protocol_translation_errors_total: execution.counter(
    "Requests and responses that could not be translated, by kind of error",
  ),
  agent_store_failures_total: execution.counter(
    "Failed operations on stored agent calls, by operation; each is retried",
  ),
  workflow_runs_started_total: execution.counter("Workflow runs started, by workflow"),
  workflow_runs_reopened_total: execution.counter("Failed or timed-out runs that were retried, by workflow"),
  workflow_run_requests_total: execution.counter("Ended runs by workflow and outcome"),
  workflow_run_duration_seconds: execution.histogram("Duration of runs by workflow"),
  workflow_step_requests_total: execution.counter("Ended steps by workflow and outcome"),
  workflow_step_duration_seconds: execution.histogram("Duration of steps by workflow"),
  workflow_runs_open: execution.gauge("Runs that have not ended, across all processes"),
  workflow_run_oldest_due_seconds: execution.gauge(
    "Delay of the most overdue run; above a few seconds, no process enforces deadlines",
  ),
  workflow_failures_total: execution.counter(
    "Runs ended by an internal error or a missing key, and failed searches for due runs and results",
  ),
} satisfies Record<string, MetricDefinition>;

/** Every metric of the zones. No label contains a value that a sender chose. */
export const metrics = {
  ...verificationMetrics,
  ...executionMetrics,
  rows_purged_total: both.counter("Rows deleted after their retention, by table"),
  http_requests_refused_total: both.counter(
    "Requests that the HTTP server refused, by reason: no token, too large, too slow, not HTTP",
  ),
  crosszone_build_info: both.gauge("The running version; always 1"),
} satisfies Record<string, MetricDefinition>;

/** The name of a metric of this type. */
export type MetricName<Type extends MetricType = MetricType> = {
  [Name in keyof typeof metrics]: (typeof metrics)[Name] extends MetricDefinition<Type> ? Name : never;
}[keyof typeof metrics];

/** The start of two names: `rpc` for `rpc_requests_total` and `rpc_duration_seconds`. */
export type RequestMetricsName = StartOf<MetricName<"counter">, "_requests_total"> &
  StartOf<MetricName<"histogram">, "_duration_seconds">;

type StartOf<Name extends string, End extends string> = Name extends `${infer Start}${End}` ? Start : never;
