import { type MetricDefinition, metricsOf, pageAlert, ticket } from "./definitions.ts";

const agents = metricsOf("execution", "Agents over HTTP");
const protocols = metricsOf("execution", "Protocols");
const workflows = metricsOf("execution", "Workflows");

/** Buckets for translation times, which are microseconds: from ten of them to a quarter of a second. In seconds. */
const translationBuckets = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25,
];

/** Names of agents also come from messages, so only registered ones are allowed. */
const agent_name = ["@agent"] as const;
const protocol = ["@protocol"] as const;
const direction = ["request", "response"] as const;
const error_type = ["@agent_error_kind"] as const;
// Runs exist only for existing workflows.
const workflow = ["@any"] as const;
const runEnds = ["succeeded", "failed", "canceled", "timed_out"] as const;

const stuckRun = "operations.md#a-stuck-run";

/** The metrics of agent calls and workflow runs. */
const callMetrics = {
  agent_calls_waiting: agents.gauge("Agent calls that no process has started, across all processes"),
  agent_call_oldest_waiting_seconds: agents.gauge("Age of the oldest of these calls", {
    alert: pageAlert("AgentCallsWait", {
      expr: "max(agent_call_oldest_waiting_seconds) > 300",
      for: "1m",
      summary: "An agent call has waited for half of the time that an answer can take",
      runbook: "operations.md#the-queue-grows",
    }),
  }),
  bridge_call_requests_total: agents.counter("Agent calls by agent and outcome, from storage to a durable end", {
    labels: { agent_name, outcome: ["succeeded", "failed", "canceled"] },
  }),
  bridge_call_duration_seconds: agents.histogram(
    "Duration of agent calls from storage to a durable end, including the wait",
    { labels: { agent_name } },
  ),
  agent_call_requests_total: agents.counter("Agent calls by agent and outcome, from the first request to the last", {
    labels: { agent_name, outcome: ["success", "aborted", "@agent_error_kind"] },
  }),
  agent_call_duration_seconds: agents.histogram("Duration of agent calls by agent, including retries and polls", {
    labels: { agent_name },
  }),
  agent_calls_running: agents.gauge("Agent calls running in this process, by agent", {
    labels: { agent_name },
    perProcess: true,
  }),
  agent_call_retries_total: agents.counter("Failed requests to agents that were retried, by kind of error", {
    labels: { agent_name, error_type },
  }),
  agent_circuit_changes_total: agents.counter("State changes of agents' circuits, by new state", {
    labels: { agent_name, to: ["closed", "open", "half_open"] },
  }),
  agent_circuit_state: agents.gauge("State of an agent's circuit: 0 closed, 1 half open, 2 open", {
    labels: { agent_name },
    alert: ticket("AgentCircuitOpen", {
      expr: "max by (agent_name) (agent_circuit_state) == 2",
      for: "5m",
      summary: "The agent {{ $labels.agent_name }} fails and is not called",
      runbook: "operations.md#open-circuit",
    }),
  }),
  agent_protocol_requests_total: protocols.counter(
    "Requests to agents by protocol and agent, including retries and polls",
    { labels: { protocol, agent_name } },
  ),
  protocol_translation_duration_seconds: protocols.histogram("Time to encode a request or decode a response", {
    labels: { protocol, direction },
    buckets: translationBuckets,
  }),
  protocol_translation_errors_total: protocols.counter(
    "Requests and responses that could not be translated, by kind of error",
    { labels: { protocol, direction, error_type } },
  ),
  agent_store_failures_total: agents.counter("Failed operations on stored agent calls, by operation; each is retried", {
    labels: { operation: ["take", "renew", "release", "end", "progress"] },
  }),
  workflow_runs_started_total: workflows.counter("Workflow runs started, by workflow", { labels: { workflow } }),
  workflow_runs_reopened_total: workflows.counter("Failed or timed-out runs that were retried, by workflow", {
    labels: { workflow },
  }),
  workflow_run_requests_total: workflows.counter("Ended runs by workflow and outcome", {
    labels: { workflow, outcome: runEnds },
    alert: ticket("RunsFail", {
      expr: 'sum by (workflow) (increase(workflow_run_requests_total{outcome=~"failed|timed_out"}[30m])) > 0.2 * sum by (workflow) (increase(workflow_run_requests_total[30m]))',
      for: "15m",
      summary: "More than a fifth of the runs of {{ $labels.workflow }} fail",
      runbook: stuckRun,
    }),
  }),
  workflow_run_duration_seconds: workflows.histogram("Duration of runs by workflow", { labels: { workflow } }),
  workflow_step_requests_total: workflows.counter("Ended steps by workflow and outcome", {
    labels: { workflow, outcome: runEnds },
  }),
  workflow_step_duration_seconds: workflows.histogram("Duration of steps by workflow", { labels: { workflow } }),
  workflow_runs_open: workflows.gauge("Runs that have not ended, across all processes"),
  workflow_run_oldest_due_seconds: workflows.gauge(
    "Delay of the most overdue run; above a few seconds, no process enforces deadlines",
    {
      alert: pageAlert("RunsOverdue", {
        expr: "max(workflow_run_oldest_due_seconds) > 30",
        for: "1m",
        summary: "No process enforces the deadlines of workflow runs",
        runbook: stuckRun,
      }),
    },
  ),
  workflow_failures_total: workflows.counter(
    "Runs ended by an internal error or a missing key, and failed searches for due runs and results",
    {
      labels: { kind: ["broken", "unreadable", "timer", "results"] },
      alert: ticket("WorkflowFailures", {
        expr: "sum by (kind) (increase(workflow_failures_total[15m])) > 0",
        for: "0m",
        summary: "Workflow runs fail inside the zone: {{ $labels.kind }}",
        runbook: stuckRun,
      }),
    },
  ),
} satisfies Record<string, MetricDefinition>;

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
  hook_deliveries_total: tasks.counter("Requests to hooks by hook and outcome", {
    labels: { hook: ["@any"], outcome: ["new", "known", "ignored", "refused"] },
    alert: ticket("HookRefuses", {
      expr: 'sum by (hook) (increase(hook_deliveries_total{outcome="refused",hook!="other"}[30m])) > 0.2 * sum by (hook) (increase(hook_deliveries_total{hook!="other"}[30m]))',
      for: "0m",
      summary: "More than a fifth of the deliveries to the hook {{ $labels.hook }} are refused",
      runbook: "hooks.md#answers",
    }),
  }),
  program_storage_short_total: tasks.counter("Programs whose stored bytes came near their limit, or reached it", {
    labels: { state: ["near", "full"] },
    alert: ticket("ProgramStorageShort", {
      expr: "sum(increase(program_storage_short_total[1h])) > 0",
      for: "0m",
      summary: "What is stored for a program is near its limit; the log and the list of tokens say whose",
      runbook: "programs.md#budgets-and-limits",
    }),
  }),
  task_requests_total: tasks.counter("Ended tasks by agent and outcome", {
    labels: { agent, outcome: ["success", "@error_kind"] },
  }),
  task_duration_seconds: tasks.histogram("Duration of tasks by agent", { labels: { agent } }),
  tasks_running: tasks.gauge("Tasks running now", { perProcess: true }),
  jobs_running: tasks.gauge("Jobs running now, by kind", { labels: { kind }, perProcess: true }),
  task_oldest_open_seconds: tasks.gauge("Age of the oldest open task; at most one or two leases above TASK_DEADLINE", {
    alert: pageAlert("TaskOpenTooLong", {
      expr: "max(task_oldest_open_seconds) > 600",
      for: "5m",
      summary: "A task has been open for longer than its deadline and two leases",
      runbook: "operations.md#at-3-am",
    }),
  }),
  fires_waiting: tasks.gauge("Fires of schedules and hooks that verification has not taken", {
    alert: ticket("FiresNotTaken", {
      expr: "max(fires_waiting) > 0",
      for: "10m",
      summary: "Schedules and hooks start nothing: verification does not take their fires",
      runbook: "operations.md#at-3-am",
    }),
  }),
  schedule_fires_total: tasks.counter("Times at which schedules started, or were due and did not start", {
    labels: { outcome: ["started", "skipped"] },
  }),
  schedules_paused: tasks.gauge("Paused schedules, by why they paused", {
    labels: { reason: ["failures", "owner_left", "unallowed", "by_hand"] },
    alert: ticket("SchedulesPaused", {
      expr: 'max by (reason) (schedules_paused{reason=~"failures|owner_left"}) > 0',
      for: "10m",
      summary: "Schedules paused by themselves: {{ $labels.reason }}",
      runbook: "schedules.md#watch-them",
    }),
  }),
  hook_refusals_total: tasks.counter("Refused requests to hooks, by reason", { labels: { reason: ["@any"] } }),
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
    alert: ticket("CostBurns", {
      expr: "sum(increase(model_cost_dollars_total[1h])) > 5 and sum(increase(model_cost_dollars_total[1h])) > 6 * sum(increase(model_cost_dollars_total[24h])) / 24",
      for: "5m",
      summary:
        "Language models cost six times as much as in an average hour of the day: `crosszone usage --by schedule`",
      runbook: "operations.md#costs-rise",
    }),
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
    alert: pageAlert("BusQueueOld", {
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
  bus_messages_expired_total: bus.counter("With Kafka: messages that expired before their group read them", {
    labels: { channel, group },
    alert: pageAlert("BusMessagesLost", {
      expr: "sum by (channel, group) (increase(bus_messages_expired_total[1h])) > 0",
      for: "0m",
      summary: "Messages of {{ $labels.channel }} expired on Kafka before {{ $labels.group }} read them",
      runbook: "operations.md#the-queue-grows",
    }),
  }),
  ...callMetrics,
} satisfies Record<string, MetricDefinition>;
