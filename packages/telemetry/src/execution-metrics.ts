import { callMetrics } from "./call-metrics.ts";
import { type MetricDefinition, metricsOf, page, ticket } from "./definitions.ts";

const link = metricsOf("execution", "Zone link");
const tasks = metricsOf("execution", "Execution: tasks");
const models = metricsOf("execution", "Language models");
const bus = metricsOf("execution", "Kafka");

const method = ["@zone_method"] as const;
// Tasks exist only for existing agents, and models are named by the configuration.
const agent = ["@any"] as const;
const model = ["@any"] as const;
// Kinds of jobs are words of the code.
const kind = ["@any"] as const;
const channel = ["@bus_channel"] as const;
const group = ["@bus_group"] as const;
export const executionMetrics = {
  rpc_requests_total: link.counter("JSON-RPC requests by method and outcome", {
    labels: { method, outcome: ["success", "@error_kind"] },
  }),
  rpc_duration_seconds: link.histogram("Duration of JSON-RPC requests by method", { labels: { method } }),
  task_requests_total: tasks.counter("Ended tasks by agent and outcome", {
    labels: { agent, outcome: ["success", "@error_kind"] },
  }),
  task_duration_seconds: tasks.histogram("Duration of tasks by agent", { labels: { agent } }),
  tasks_running: tasks.gauge("Tasks running now", { perProcess: true }),
  jobs_running: tasks.gauge("Jobs running now, by kind", { labels: { kind }, perProcess: true }),
  task_oldest_open_seconds: tasks.gauge("Age of the oldest open task; at most one or two leases above TASK_DEADLINE", {
    alert: page("TaskOpenTooLong", {
      expr: "max(task_oldest_open_seconds) > 600",
      for: "5m",
      summary: "A task has been open for longer than its deadline and two leases",
      runbook: "operations.md#at-3-am",
    }),
  }),
  input_requests_open: tasks.gauge("Input requests that wait for people"),
  tasks_retried_total: tasks.counter("Tasks that ran again because their process crashed or lost its connection"),
  task_leases_lost_total: tasks.counter("Tasks that another process took over while this one still ran them", {
    alert: ticket("TaskLeasesLost", {
      expr: "sum(increase(task_leases_lost_total[30m])) > 3",
      for: "0m",
      summary: "Processes of execution stall for longer than a lease, or a clock jumps",
      runbook: "operations.md#databases",
    }),
  }),
  task_store_failures_total: tasks.counter("Failed operations on stored tasks, by operation; each is retried", {
    labels: { operation: ["end", "renew", "take", "release", "cancel"] },
  }),
  task_commit_duration_seconds: tasks.histogram("Time to write a group of tasks and agent calls"),
  task_writes_total: tasks.counter("Tasks and agent calls written in all these groups, including repeated ones"),
  task_call_failures_total: tasks.counter(
    "Failed attempts to store, find or cancel a task's agent call, by operation; each is retried",
    { labels: { operation: ["send", "look", "cancel"] } },
  ),
  task_run_failures_total: tasks.counter(
    "Failed attempts to start, read or cancel a task's workflow run, by operation; each is retried",
    { labels: { operation: ["start", "watch", "cancel"] } },
  ),
  model_calls_total: models.counter(
    "Calls of language models, by model and by whether the provider counted their tokens",
    { labels: { model, counted: ["yes", "no"] } },
  ),
  model_tokens_total: models.counter("Tokens of these calls: input, cached input (also counted as input), output", {
    labels: { model, kind: ["input", "cached_input", "output"] },
  }),
  model_cost_dollars_total: models.counter("Cost of these calls in US dollars, for models with a known price", {
    labels: { model },
  }),
  model_calls_refused_total: models.counter(
    "Model calls refused because a budget had no room, by scope of the budget",
    { labels: { scope: ["person", "channel", "team", "agent"] } },
  ),
  bus_queue_messages: bus.gauge("With Kafka: waiting messages by channel and group; if they grow, add processes", {
    labels: { channel, group },
  }),
  bus_queue_oldest_age_seconds: bus.gauge("With Kafka: age of the oldest waiting message", {
    labels: { channel, group },
    alert: page("BusQueueOld", {
      expr: "max by (channel, group) (bus_queue_oldest_age_seconds) > 60",
      for: "1m",
      summary: "Messages of {{ $labels.channel }} wait for {{ $labels.group }} for longer than a minute",
      runbook: "operations.md#the-queue-grows",
    }),
  }),
  bus_deliveries_total: bus.counter("With Kafka: consumed messages by outcome; dead_letter needs an operator", {
    labels: { channel, group, outcome: ["handled", "failed", "dead_letter"] },
    alert: ticket("DeadLetters", {
      expr: 'sum by (channel) (increase(bus_deliveries_total{outcome="dead_letter"}[1h])) > 0',
      for: "0m",
      summary: "{{ $labels.channel }} has new dead letters",
      runbook: "operations.md#dead-letters",
    }),
  }),
  bus_handling_duration_seconds: bus.histogram("With Kafka: time to handle a message", { labels: { channel, group } }),
  bus_messages_refused_total: bus.counter("With Kafka: messages that the bridge could not use, by channel", {
    labels: { channel },
  }),
  ...callMetrics,
} satisfies Record<string, MetricDefinition>;
