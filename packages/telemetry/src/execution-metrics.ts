import { metricsOf, type MetricDefinition } from "./definitions.ts";

const { counter, gauge, histogram } = metricsOf("execution");

export const executionMetrics = {
  rpc_requests_total: counter("JSON-RPC requests by method and outcome"),
  rpc_duration_seconds: histogram("Duration of JSON-RPC requests by method"),
  task_requests_total: counter("Ended tasks by agent and outcome"),
  task_duration_seconds: histogram("Duration of tasks by agent"),
  tasks_running: gauge("Tasks running now"),
  task_oldest_open_seconds: gauge("Age of the oldest open task; at most one or two leases above TASK_DEADLINE"),
  tasks_retried_total: counter("Tasks that ran again because their process crashed or lost its connection"),
  task_leases_lost_total: counter("Tasks that another process took over while this one still ran them"),
  task_store_failures_total: counter("Failed operations on stored tasks, by operation; each is retried"),
  task_commit_duration_seconds: histogram("Time to write a group of tasks and agent calls"),
  task_writes_total: counter("Tasks and agent calls written in all these groups, including repeated ones"),
  task_call_failures_total: counter(
    "Failed attempts to store, find or cancel a task's agent call, by operation; each is retried",
    { formerly: "task_exchange_failures_total" },
  ),
  task_run_failures_total: counter(
    "Failed attempts to start, read or cancel a task's workflow run, by operation; each is retried",
  ),
  model_calls_total: counter("Calls of language models, by model and by whether the provider counted their tokens"),
  model_tokens_total: counter("Tokens of these calls: input, cached input (also counted as input), output"),
  model_cost_dollars_total: counter("Cost of these calls in US dollars, for models with a known price"),
  model_calls_refused_total: counter("Model calls refused because a budget had no room, by scope of the budget"),
  bus_queue_messages: gauge("With Kafka: waiting messages by channel and group; if they grow, add processes"),
  bus_queue_oldest_age_seconds: gauge("With Kafka: age of the oldest waiting message"),
  bus_deliveries_total: counter("With Kafka: consumed messages by outcome; dead_letter needs an operator"),
  bus_handling_duration_seconds: histogram("With Kafka: time to handle a message"),
  bus_messages_refused_total: counter("With Kafka: messages that the bridge could not use, by channel"),
  agent_calls_waiting: gauge("Agent calls that no process has started, across all processes", {
    formerly: "agent_tasks_waiting",
  }),
  agent_call_oldest_waiting_seconds: gauge("Age of the oldest of these calls", {
    formerly: "agent_task_oldest_waiting_seconds",
  }),
  bridge_call_requests_total: counter("Agent calls by agent and outcome, from storage to a durable end", {
    formerly: "agent_task_requests_total",
  }),
  bridge_call_duration_seconds: histogram("Duration of agent calls from storage to a durable end, including the wait", {
    formerly: "agent_task_duration_seconds",
  }),
  agent_call_requests_total: counter("Agent calls by agent and outcome, from the first request to the last"),
  agent_call_duration_seconds: histogram("Duration of agent calls by agent, including retries and polls"),
  agent_calls_running: gauge("Agent calls running in this process, by agent"),
  agent_call_retries_total: counter("Failed requests to agents that were retried, by kind of error"),
  agent_circuit_changes_total: counter("State changes of agents' circuits, by new state"),
  agent_circuit_state: gauge("State of an agent's circuit: 0 closed, 1 half open, 2 open"),
  agent_canary_calls_total: counter("Calls of agents with a canary, by side and outcome", {
    formerly: "agent_canary_tasks_total",
  }),
  agent_canary_ends_total: counter("Canaries that ended by themselves, because they failed or were slow"),
  agent_protocol_requests_total: counter("Requests to agents by protocol and agent, including retries and polls"),
  protocol_translation_duration_seconds: histogram("Time to encode a request or decode a response"),
  protocol_translation_errors_total: counter("Requests and responses that could not be translated, by kind of error"),
  agent_store_failures_total: counter("Failed operations on stored agent calls, by operation; each is retried"),
  workflow_runs_started_total: counter("Workflow runs started, by workflow"),
  workflow_runs_reopened_total: counter("Failed or timed-out runs that were retried, by workflow"),
  workflow_run_requests_total: counter("Ended runs by workflow and outcome"),
  workflow_run_duration_seconds: histogram("Duration of runs by workflow"),
  workflow_step_requests_total: counter("Ended steps by workflow and outcome"),
  workflow_step_duration_seconds: histogram("Duration of steps by workflow"),
  workflow_runs_open: gauge("Runs that have not ended, across all processes"),
  workflow_run_oldest_due_seconds: gauge(
    "Delay of the most overdue run; above a few seconds, no process enforces deadlines",
  ),
  workflow_failures_total: counter(
    "Runs ended by an internal error or a missing key, and failed searches for due runs and results",
  ),
} satisfies Record<string, MetricDefinition>;
